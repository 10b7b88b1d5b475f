import type { SessionStore } from './store.js'

/** One fresh, empty store, and the ways the suite may reach it. */
export interface StoreUnderTest {
  readonly store: SessionStore
  /** A second instance on the same data, as another process would make it. Default: the same instance. */
  readonly reopened?: () => SessionStore | Promise<SessionStore>
  readonly dispose?: () => void | Promise<void>
}

/** The two functions of a test framework that the suite needs: those of vitest, jest, mocha, `node:test` or `bun:test` fit. */
export interface TestApi {
  readonly describe: (name: string, body: () => void) => unknown
  readonly it: (name: string, body: () => Promise<void>) => unknown
}

/** The conformance suite of {@link SessionStore}: registers its tests with `testApi`. `factory` makes a store for each test. */
export declare function describeSessionStore(
  name: string,
  factory: () => StoreUnderTest | Promise<StoreUnderTest>,
  testApi: TestApi,
): void
