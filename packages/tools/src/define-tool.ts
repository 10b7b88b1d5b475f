import { type ToolResultContent } from '@agent-spine/model'
import {
  defineValue,
  type ExactValueSpec,
  HarnessError,
  type InferValue,
  type JsonValue,
  snapshotJson,
  type Validator,
  type ValueSchemaSpec,
} from '@agent-spine/schema'
import { argumentCheck } from './argument-check.js'
import { contained, dropRejection } from './contained.js'
import { isResultContent } from './content.js'
import { assertDefinition } from './definition-problems.js'
import { ToolArgsError } from './errors.js'
import { outputRules } from './output.js'
import { type ArgsOf, type ExactParameters, type ParametersInput, readParameters } from './parameters.js'
import { type CheckedArguments, type PresentableResult, type Tool, type ToolContext } from './tool.js'
import { readCallView, readResultView, type ToolCallView, type ToolResultView } from './views.js'

/** The ways to say what a tool's value is. */
export type OutputInput = ValueSchemaSpec | Validator<unknown>

/** The type of a body's value: what the output spec says; without one, any JSON value, or nothing. */
export type ValueOf<Output> = [Output] extends [never]
  ? unknown
  : Output extends Validator<infer Value>
    ? Value
    : Output extends ValueSchemaSpec
      ? InferValue<Output>
      : never

/** `Output` with every misspelt keyword of a spec typed `never`. */
export type ExactOutput<Output> = Output extends Validator<unknown> ? Output : ExactValueSpec<Output>

/** What a tool's value is, and how the model reads it. */
export interface ToolOutputDefinition<Output> {
  readonly schema: Output & ExactOutput<Output>
  /** Default: a string as it is, anything else as JSON. */
  readonly render?: (value: ValueOf<NoInfer<Output>>) => string | readonly ToolResultContent[]
  /** Facts for user interfaces; the model does not see them. A throw leaves them out. */
  readonly presentationMeta?: (value: ValueOf<NoInfer<Output>>) => JsonValue
}

/** A bare output spec, checked exactly; a definition around a spec checks that by itself. */
type ExactBareOutput<Output> = ExactOutput<Output> | ToolOutputDefinition<Output>

/** What `defineTool` takes. */
export interface ToolDefinition<Input, Output> {
  /** `[A-Za-z0-9_-]{1,64}`: what every provider accepts. */
  readonly name: string
  readonly description: string
  readonly parameters: Input & ExactParameters<Input>
  /** Refuse undeclared arguments; for `parameters` in the author DSL, whose root is open by default. */
  readonly closed?: boolean
  readonly output?: (Output | ToolOutputDefinition<Output>) & ExactBareOutput<NoInfer<Output>>
  /** Whether this call may overlap with others. Without it, or for anything but `true`, the call runs alone. */
  readonly isConcurrencySafe?: (args: ArgsOf<NoInfer<Input>>) => boolean
  /** Calls of any tools with the same key never overlap: a path, for example. */
  readonly conflictKey?: (args: ArgsOf<NoInfer<Input>>) => string | undefined
  /** How long the body may run, in milliseconds. Default: for as long as it takes. */
  readonly timeoutMs?: number
  readonly execute: (
    args: ArgsOf<NoInfer<Input>>,
    context: ToolContext,
  ) => ValueOf<NoInfer<Output>> | PromiseLike<ValueOf<NoInfer<Output>>>
  readonly presentCall?: (args: ArgsOf<NoInfer<Input>>) => ToolCallView
  readonly presentResult?: (args: ArgsOf<NoInfer<Input>>, result: PresentableResult) => ToolResultView
  /** Last word on the content the model reads, of errors too. If it throws, the content stays as it was. */
  readonly finalizeContent?: (
    content: readonly ToolResultContent[],
    info: { readonly isError: boolean },
  ) => readonly ToolResultContent[]
}

/**
 * Defines a tool. The spec is checked exactly, when it compiles and when it runs; arguments that do not validate never
 * reach `execute`.
 *
 * @throws HarnessError `INVALID_TOOL` or `UNSUPPORTED_SCHEMA`, naming everything that is wrong.
 */
export function defineTool<const Input extends ParametersInput, const Output extends OutputInput = never>(
  definition: ToolDefinition<Input, Output>,
): Tool {
  assertDefinition(definition)
  type Args = ArgsOf<Input>
  const { name, description, timeoutMs } = definition
  const { validator, changes, ownCheck } = readParameters(definition.parameters, definition.closed ?? false)
  const check = argumentCheck(validator, ownCheck)
  const output = readOutput(definition)

  function admitted(checked: CheckedArguments): Args {
    if (checked.violations) throw new ToolArgsError(name, checked.violations)
    return checked.args as Args
  }

  function admit(args: unknown): Args {
    return admitted(check(args))
  }

  async function execute(args: unknown, context?: Partial<ToolContext>): Promise<JsonValue> {
    const checked = check(args)
    const fitting = admitted(checked.decided ? await checked.decided : checked)
    return output.check(await definition.execute(fitting, completed(context)))
  }

  return Object.freeze<Tool>({
    name,
    description,
    parameters: validator.jsonSchema,
    schemaChanges: Object.freeze([...changes]),
    ...(output.schema && { outputSchema: output.schema }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    check,
    isConcurrencySafe: args => contained(() => definition.isConcurrencySafe?.(admit(args))) === true,
    conflictKey: args => readKey(definition.conflictKey?.(admit(args))),
    execute,
    render: value => output.render(value),
    finalizeContent: (content, isError) =>
      contained(() => readContent(definition.finalizeContent?.(content, { isError }))) ?? content,
    presentCall: args => readCallView(contained(() => definition.presentCall?.(admit(args)))),
    presentResult: (args, result) =>
      readResultView(contained(() => definition.presentResult?.(admit(args), result))),
  })
}

function readOutput<Input, Output extends OutputInput>(definition: ToolDefinition<Input, Output>) {
  // The properties of an erased definition: each of its functions takes whatever its schema accepts.
  const output = definition.output as OutputInput | ErasedOutput | undefined
  const rules = output && 'schema' in output ? output : { schema: output }
  const validator = rules.schema && ('violations' in rules.schema ? rules.schema : defineValue(rules.schema))
  return {
    ...outputRules({ toolName: definition.name, validator, ...rules }),
    schema: validator?.jsonSchema,
  }
}

interface ErasedOutput {
  readonly schema: OutputInput
  readonly render?: (value: JsonValue) => unknown
  readonly presentationMeta?: (value: JsonValue) => unknown
}

/** What is neither text nor left out throws: a call whose key is not known must not overlap. */
function readKey(key: unknown): string | undefined {
  if (key === undefined || typeof key === 'string') return key
  dropRejection(key)
  throw new HarnessError('INVALID_TOOL', `conflictKey must return a string or undefined, found ${typeof key}`)
}

function readContent(content: unknown): readonly ToolResultContent[] | undefined {
  if (content === undefined) return undefined
  dropRejection(content)
  const copy: unknown = snapshotJson(content)
  return isResultContent(copy) ? copy : undefined
}

/** A context with everything in it, such as that of a runtime, is taken as it is: reading its signal would make one. */
function completed(context: Partial<ToolContext> = {}): ToolContext {
  return isComplete(context) ? context : { ...detachedContext(), ...context }
}

function isComplete(context: Partial<ToolContext>): context is ToolContext {
  return contextKeys.every(key => key in context)
}

const contextKeys = [
  'signal',
  'callId',
  'progress',
  'deferContext',
  'concludeTurn',
  'callTools',
] as const satisfies readonly (keyof ToolContext)[]

/** For a tool that is called outside a runtime. */
function detachedContext(): ToolContext {
  return {
    signal: new AbortController().signal,
    callId: 'detached',
    progress: () => undefined,
    deferContext: () => undefined,
    concludeTurn: () => undefined,
    callTools: () =>
      Promise.reject(
        new HarnessError('NO_RUNTIME', 'callTools needs a runtime: run this tool through createToolRuntime'),
      ),
  }
}
