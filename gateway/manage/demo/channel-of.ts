import { CHANNELS } from './products.ts'
import { rngOf } from './random.ts'

/** The channel that brought the customer of this number. */
export function channelOf(seed: number, index: number): string {
  return CHANNELS[rngOf(seed, 'channel', index).weighted([34, 28, 18, 12, 8])]?.id ?? 'CH001'
}
