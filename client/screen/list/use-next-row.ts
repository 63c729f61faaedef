/** N opens the next row of the page that waits for the person. */
import type { RefObject } from 'react'
import { useShortcuts } from '#client/ui/frame/shortcuts.ts'
import type { GridHandle } from '#client/ui/grid/grid-state.ts'

interface NextRow<Row> {
  grid: RefObject<GridHandle<Row> | null>
  /** Null where rows wait for nobody. */
  isToDo: ((row: Row) => boolean) | null
  open: (row: Row) => void
  onNone: () => void
}

export function useNextRow<Row>({ grid, isToDo, open, onNone }: NextRow<Row>): void {
  useShortcuts(
    'screen',
    isToDo === null
      ? []
      : [
          {
            id: 'list-next',
            code: 'KeyN',
            labelKey: 'grid:next.key',
            run() {
              const row = grid.current?.next(isToDo) ?? null
              if (row === null) onNone()
              else open(row)
            },
          },
        ],
  )
}
