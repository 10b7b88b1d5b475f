import type { SessionStore } from './store.js'

export declare function memoryStore(): SessionStore
