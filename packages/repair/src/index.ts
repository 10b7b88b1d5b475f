export { interruptedTurnClosers, repairLog, type ClosingEvent } from './closers.js'
export { needsRepair } from './needs-repair.js'
