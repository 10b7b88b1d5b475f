import { packageBuild } from '../../tooling/tsup-preset'

export default packageBuild(['src/index.ts', 'src/jsonl.ts', 'src/testing.ts'], { platform: 'node' })
