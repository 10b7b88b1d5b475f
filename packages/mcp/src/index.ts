export {
  connectMcp,
  type McpConnection,
  type McpConnectOptions,
  type McpServerAddress,
} from './connect-mcp.js'
export {
  MCP_CONNECT_FAILED,
  MCP_INVALID_RESULT,
  MCP_REQUEST_FAILED,
  MCP_SERVER_GONE,
  MCP_TOOL_ERROR,
} from './errors.js'
export type { McpImportOptions, McpOutputCheck, McpToolImport } from './import-tool.js'
export type { McpToolValue } from './read-result.js'
export { serveTools, type ServedTools, type ServeOptions } from './serve-tools.js'
export type { ServedCallOptions } from './served-call.js'
export type { McpServerProcess } from './server-process.js'
export { toMcp, type McpTool } from './to-mcp.js'
export type { McpTransport } from './transport.js'
