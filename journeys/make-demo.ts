import { makeDemo } from './start.ts'

// The folder comes as the argument: `scripts/test.mjs` makes the demo of the journeys while the unit tests run.
await makeDemo(process.argv[2]!)
