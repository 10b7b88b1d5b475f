import { type JsonValue } from '@agent-spine/schema'
import { type CheckedCall, type NextOptions, type ToolHooks } from './hooks.js'
import { linkSignals, type SignalSource } from './link-signals.js'

/** What the `execute` hooks wrap: runs under all of the signals it is given. */
export type SignalledBody = (signals: readonly SignalSource[]) => Promise<JsonValue>

/** Nests `execute` hooks around a body. A hook adds signals for what it wraps; it cannot take one away. */
export function nestExecuteHooks(
  hooks: readonly ToolHooks[],
  call: Omit<CheckedCall, 'signal'>,
  body: SignalledBody,
): SignalledBody {
  return hooks.reduceRight<SignalledBody>(
    (inner, hook) => (hook.execute ? wrap(hook, call, inner) : inner),
    body,
  )
}

function wrap(hook: ToolHooks, call: Omit<CheckedCall, 'signal'>, inner: SignalledBody): SignalledBody {
  return async signals => {
    const linked = linkSignals(signals)
    const next = ({ signal }: NextOptions = {}): Promise<JsonValue> =>
      inner(signal ? [...signals, { signal }] : signals)
    try {
      return (await hook.execute?.({ ...call, signal: linked.signal }, next)) ?? null
    } finally {
      linked.release()
    }
  }
}
