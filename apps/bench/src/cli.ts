import { runMain } from 'citty'
import { bench } from './commands.js'

await runMain(bench)
