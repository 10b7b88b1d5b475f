export { describeSessionStore, type StoreUnderTest, type TestApi } from './store-conformance.js'
