import { describe, it } from 'vitest'
import { memoryStore } from './memory-store.js'
import { describeSessionStore } from './testing.js'

describeSessionStore('memoryStore', () => ({ store: memoryStore() }), { describe, it })
