import type { RefObject } from 'react'
import { usePermission } from '#client/session/page.tsx'
import { useShortcuts } from '#client/ui/frame/shortcuts.ts'
import type { GridHandle } from '#client/ui/grid/grid-state.ts'
import { autoAllocate } from '#shared/collection/allocation-api.ts'
import type { CaseRow, CaseTab } from './case-types.ts'

interface WorkShortcuts {
  tab: CaseTab | 'desk'
  /** No form is open. */
  isIdle: () => boolean
  selects: boolean
  hasSelection: () => boolean
  grid: RefObject<GridHandle<CaseRow> | null>
  onNext: () => void
  onPeek: () => void
  onDesk: () => void
  onStages: () => void
  onReread: () => void
}

/** The keys of the work list and the pool; the allocation desk has its own. */
export function useWorkShortcuts({
  tab,
  isIdle,
  selects,
  hasSelection,
  grid,
  onNext,
  onPeek,
  onDesk,
  onStages,
  onReread,
}: WorkShortcuts): void {
  const mayPlan = usePermission(autoAllocate.access)
  useShortcuts(
    'screen',
    tab === 'desk'
      ? []
      : [
          ...(tab === 'toFollow'
            ? [
                {
                  id: 'case-next',
                  code: 'KeyN',
                  labelKey: 'collection:desk.key.next',
                  run: onNext,
                },
                {
                  id: 'case-peek',
                  code: 'Space',
                  labelKey: 'collection:desk.key.peek',
                  when: () => !document.activeElement?.closest(PRESSED_BY_SPACE),
                  run: onPeek,
                },
              ]
            : []),
          ...(selects
            ? [
                {
                  id: 'case-select',
                  code: 'KeyX',
                  labelKey: 'collection:desk.key.select',
                  run: () => grid.current?.toggleFocused(),
                },
              ]
            : []),
          ...(mayPlan && tab === 'toAllocate'
            ? [
                {
                  id: 'case-desk',
                  code: 'KeyA',
                  labelKey: 'collection:desk.key.desk',
                  when: hasSelection,
                  run: onDesk,
                },
              ]
            : []),
          {
            id: 'case-stages',
            code: 'KeyS',
            labelKey: 'collection:desk.key.stages',
            run: onStages,
          },
          {
            id: 'case-reread',
            code: 'KeyR',
            labelKey: 'collection:desk.key.reread',
            run: onReread,
          },
        ].map((shortcut) => ({
          ...shortcut,
          when: () => isIdle() && shortcut.when?.() !== false,
        })),
  )
}

/** Elements on which Space has its own meaning. */
const PRESSED_BY_SPACE = 'button, a, summary, select, input[type=checkbox], [role=button]'
