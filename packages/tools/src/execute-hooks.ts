import { type JsonValue } from '@agent-spine/schema'
import { type AdmittedExecution, checkedCall } from './execution.js'
import { type NextOptions, type ToolHooks } from './hooks.js'
import { linkSignals, type SignalSource } from './link-signals.js'

/** What the `execute` hooks wrap: runs under all of the signals it is given. */
export type SignalledBody = (signals: readonly SignalSource[]) => Promise<JsonValue>

/** Nests `execute` hooks around a body. A hook adds signals for what it wraps; it cannot take one away. */
export function nestExecuteHooks(
  hooks: readonly ToolHooks[],
  execution: AdmittedExecution,
  body: SignalledBody,
): SignalledBody {
  return hooks.reduceRight<SignalledBody>(
    (inner, hook) => (hook.execute ? wrap(hook, execution, inner) : inner),
    body,
  )
}

function wrap(hook: ToolHooks, execution: AdmittedExecution, inner: SignalledBody): SignalledBody {
  return async signals => {
    const linked = linkSignals(signals)
    const next = ({ signal }: NextOptions = {}): Promise<JsonValue> =>
      inner(signal ? [...signals, { signal }] : signals)
    try {
      return (await hook.execute?.(checkedCall(execution, linked.signal), next)) ?? null
    } finally {
      linked.release()
    }
  }
}
