/** What the browser loads, gzipped, compared with the whole libraries. */
import { build } from 'esbuild'
import { BUDGET, clientSizes, gzipBytes } from '#tests/support/client-size.ts'
import { ROOT } from './processes.ts'
import type { Bench } from './stage.ts'
import { type Line, short } from './table.ts'

const REACT =
  "import * as a from 'react'; import * as b from 'react-dom/client'; console.log(a, b);"
const FRAME = `${REACT}
  import * as c from '@blueprintjs/core'; import * as d from '@tanstack/react-query';
  import * as e from 'socket.io-client'; console.log(c, d, e);`
const AG_GRID = `import { AllCommunityModule, ModuleRegistry } from 'ag-grid-community';
  import { AgGridReact } from 'ag-grid-react';
  ModuleRegistry.registerModules([AllCommunityModule]); console.log(AgGridReact);`

export async function sizeLines({ metafile }: Bench): Promise<Line[]> {
  const react = await bareBytes(REACT)
  const frame = await bareBytes(FRAME)
  const grid = await bareBytes(AG_GRID, ['react', 'react-dom'])
  const sizes = await clientSizes(metafile)
  const line = (
    what: string,
    part: keyof typeof BUDGET,
    baseline: [name: string, bytes: number] | null,
  ): Line => ({
    what,
    ratio: baseline === null ? null : sizes[part] / baseline[1],
    target: `≤ ${BUDGET[part] / 1_000} KB`,
    pass: sizes[part] <= BUDGET[part],
    product: kilobytes(sizes[part]),
    baseline: baseline === null ? '' : `${kilobytes(baseline[1])} ${baseline[0]}`,
  })
  return [
    line('JavaScript of the login page, gzip', 'login', ['React alone', react]),
    line('  of the frame with its first page', 'shell', [
      'React, Blueprint, Query, Socket.IO, whole',
      frame,
    ]),
    line('  that the grid adds', 'grid', ['AG Grid Community, whole', grid]),
    line('  that a report with its charts adds', 'chart', null),
    line('  of the order list, all together', 'list', null),
    line('  of a wall screen', 'wall', ['React alone', react]),
  ]
}

async function bareBytes(contents: string, external: string[] = []): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: ROOT },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: ['es2022'],
    external,
    define: { NODE_ENV: '"production"', 'process.env.NODE_ENV': '"production"' },
    loader: { '.css': 'empty' },
    logLevel: 'warning',
  })
  return gzipBytes(outputFiles[0]?.contents ?? new Uint8Array())
}

function kilobytes(bytes: number): string {
  return `${short(bytes / 1_000)} KB`
}
