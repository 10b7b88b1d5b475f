import { packageBuild } from '../../tooling/tsup-preset'

export default packageBuild(['src/index.ts'])
