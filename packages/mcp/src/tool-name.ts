/** Longer names and other characters are refused by model providers. */
const maxNameLength = 64

/** A server's name for a tool as one that every provider takes, or why there is none. */
export function toolName(
  mcpName: string,
  prefix: string,
  taken: ReadonlySet<string>,
): { readonly name: string; readonly problem?: never } | { readonly name?: never; readonly problem: string } {
  const name = prefix + mcpName.replace(/[^A-Za-z0-9_-]/g, '_')
  if (name.length > maxNameLength) {
    return { problem: `its name would be "${name.slice(0, 100)}", longer than ${maxNameLength} characters` }
  }
  if (taken.has(name)) return { problem: `another tool of this server is named "${name}" already` }
  return { name }
}
