import { createRequire } from 'node:module'
import process from 'node:process'
import { type McpServerProcess } from '../server-process.js'

const require = createRequire(import.meta.url)

/** The server packages of the MCP project, each started as a process of its own. */
export const realServers = {
  everything: server(require.resolve('@modelcontextprotocol/server-everything/dist/index.js')),
  memory: server(require.resolve('@modelcontextprotocol/server-memory/dist/index.js')),
  filesystem: (directory: string) =>
    server(require.resolve('@modelcontextprotocol/server-filesystem/dist/index.js'), directory),
}

function server(file: string, ...args: string[]): McpServerProcess {
  return { command: process.execPath, args: [file, ...args] }
}
