/**
 * Baseline of the grid: a page with unmodified AG Grid, as many rows and columns, each update
 * applied as it arrives.
 */
import { build } from 'esbuild'
import { ROOT } from './processes.ts'

const PAGE = `
  import { AllCommunityModule, createGrid, ModuleRegistry } from 'ag-grid-community'
  ModuleRegistry.registerModules([AllCommunityModule])
  const columns = Array.from({ length: 11 }, (_, n) => 'field' + n)
  const rows = Array.from({ length: 50 }, (_, id) => ({ id: String(id),
    ...Object.fromEntries(columns.map((field) => [field, field + ' of ' + id])) }))
  const grid = createGrid(document.querySelector('#grid'), { rowData: rows,
    columnDefs: columns.map((field) => ({ field, width: 120 })),
    defaultColDef: { enableCellChangeFlash: true }, getRowId: ({ data }) => data.id })
  let timer
  let done = 0
  // the events of a second come one by one, as from a socket
  window.update = (perSecond) => {
    const begin = performance.now()
    const from = done
    clearInterval(timer)
    if (perSecond > 0) timer = setInterval(() => {
      for (const due =
        from + Math.floor(((performance.now() - begin) * perSecond) / 1000); done < due; done += 1) {
        const row = rows[done % rows.length]
        rows[done % rows.length] = { ...row, field3: 'change ' + done, field7: 'change ' + done }
        grid.applyTransaction({ update: [rows[done % rows.length]] })
      }
    }, 5)
  }`

export async function bareGridPage(): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: PAGE, resolveDir: ROOT },
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: ['es2022'],
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'warning',
  })
  const script = (outputFiles[0]?.text ?? '').replaceAll('</script', '<\\/script')
  return `<!doctype html><meta charset="utf-8"><title>bare</title><body style="margin:0">
    <div id="grid" style="height:100vh"></div><script>${script}</script>`
}
