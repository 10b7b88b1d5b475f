export { SessionCorruptError, SessionStoreError } from './jsonl/errors.js'
export { jsonlStore, type JsonlStore, type JsonlStoreOptions } from './jsonl/jsonl-store.js'
export type { SalvagedSession } from './jsonl/salvage.js'
