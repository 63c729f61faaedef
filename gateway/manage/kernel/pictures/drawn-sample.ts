/**
 * Pictures drawn for the demo are stored as SVG, unencrypted. Their texts are converted to strokes,
 * because the machine that renders them may have no font.
 */
import { written } from './letters.ts'

const TEXT = /<text ([^>]*)>([^<]*)<\/text>/g

/** @param svg from the demo data, never from a user */
export function drawn(svg: Buffer): Buffer {
  return Buffer.from(
    svg.toString().replace(TEXT, (_, attributes: string, content: string) => {
      const given = new Map(
        [...attributes.matchAll(/([a-z-]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [
          name,
          value,
        ]),
      )
      const from = given.get('text-anchor')
      return written(
        content.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'),
        {
          x: Number(given.get('x')),
          y: Number(given.get('y')),
          size: Number(given.get('font-size')),
          fill: given.get('fill') ?? '#000',
          bold: given.get('font-weight') === 'bold',
          from: from === 'middle' || from === 'end' ? from : 'start',
        },
      )
    }),
  )
}
