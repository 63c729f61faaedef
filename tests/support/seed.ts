/** One seed for every random test of `npm test` (tests/README, decision 15): a run that fails does so for its commit. `TEST_SEED=… npm test` draws others; the long run always does. */
import fc from 'fast-check'

fc.configureGlobal({
  ...fc.readConfigureGlobal(),
  seed: Number(process.env.TEST_SEED ?? 20_261_122),
})
