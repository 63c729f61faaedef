/**
 * One seed for every random test of `npm test`, so that a failure is caused by the commit.
 * `TEST_SEED=… npm test` sets another; the long run always uses a random one.
 */
import fc from 'fast-check'

export const SEED = Number(process.env.TEST_SEED ?? 20_261_122)

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: SEED })
