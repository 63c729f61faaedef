/** The picture library, loaded with the first picture: most starts and tests need none. */
import type sharpLibrary from 'sharp'
import type { SharpOptions } from 'sharp'

type Sharp = typeof sharpLibrary

/**
 * More than a phone's camera takes. A file of a few kilobytes could otherwise be decoded to more than
 * the available memory.
 */
export const MOST_PIXELS = 25_000_000
/** Tolerates the warnings of sloppy encoders; a truncated file is an error. */
export const READING = {
  limitInputPixels: MOST_PIXELS,
  failOn: 'error',
  animated: false,
} as const satisfies SharpOptions
/**
 * Pictures processed at once: each may need some hundred megabytes, and calls need the processor, too.
 */
const AT_ONCE = 2

let loading: Promise<Sharp> | undefined

export function library(): Promise<Sharp> {
  return (loading ??= import('sharp').then(({ default: sharp }) => {
    sharp.cache(false)
    sharp.concurrency(1)
    // loaders of other formats are never used, whatever a file claims to be
    sharp.block({ operation: ['VipsForeignLoad'] })
    sharp.unblock({
      operation: [
        'VipsForeignLoadJpegBuffer',
        'VipsForeignLoadPngBuffer',
        'VipsForeignLoadSvgBuffer',
      ],
    })
    return sharp
  }))
}

let running = 0
const waiting: (() => void)[] = []

export async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running < AT_ONCE) running += 1
  else await new Promise<void>((go) => waiting.push(go))
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
}
