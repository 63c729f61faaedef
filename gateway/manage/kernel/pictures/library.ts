/** The picture library, loaded by the first picture: a start and most tests meet none. */
import type sharpLibrary from 'sharp'
import type { SharpOptions } from 'sharp'

type Sharp = typeof sharpLibrary

/**
 * A telephone's largest usual picture. A file of some kilobytes can unfold to more than the memory
 * there is.
 */
export const MOST_PIXELS = 25_000_000
/** Takes what a camera wrote carelessly; what is torn is an error. */
export const READING = {
  limitInputPixels: MOST_PIXELS,
  failOn: 'error',
  animated: false,
} as const satisfies SharpOptions
/**
 * Pictures under work at once: each may take some hundred megabytes, and there are people waiting
 * for the processor.
 */
const AT_ONCE = 2

let loading: Promise<Sharp> | undefined

export function library(): Promise<Sharp> {
  return (loading ??= import('sharp').then(({ default: sharp }) => {
    sharp.cache(false)
    sharp.concurrency(1)
    // readers of other formats are never asked, whatever a file calls itself
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
