/** The keys of the duty table: an arrow goes into it, letters paint, Ctrl+Enter saves. */
import { type Region, Regions } from '@blueprintjs/table'
import type { RefObject } from 'react'
import { useText } from '#client/base/use-text.ts'
import { useShortcuts } from '#client/ui/frame/shortcuts.ts'
import type { Shift } from '#shared/collection/collection-sets.ts'

/** Physical keys that paint the selection. */
const KEYS: Record<string, Shift> = {
  KeyO: 'off',
  KeyM: 'morning',
  KeyD: 'day',
  KeyE: 'evening',
  KeyL: 'leave',
}

interface DutyKeys {
  table: RefObject<HTMLElement | null>
  regions: readonly Region[]
  onRegions: (regions: Region[]) => void
  /** Null: nothing is painted here. */
  brush: ((shift: Shift) => void) | null
  /** Null: nothing to save. */
  save: (() => void) | null
}

export function useDutyKeys({ table, regions, onRegions, brush, save }: DutyKeys): void {
  const t = useText('collection')
  const cells = () => table.current?.querySelector<HTMLElement>('[tabindex="0"]') ?? null
  const paints = () => brush !== null && regions.length > 0
  useShortcuts('screen', [
    {
      id: 'duty-enter',
      code: 'ArrowDown',
      labelKey: 'ui:keys.enterRows',
      // inside of anything else the arrow is that element's own
      when: () => document.activeElement === document.body && cells() !== null,
      run() {
        cells()?.focus()
        if (regions.length === 0) onRegions([Regions.cell(0, 0)])
      },
    },
    ...(brush === null
      ? []
      : [
          ...Object.entries(KEYS).map(([code, shift]) => ({
            id: `shift-${shift}`,
            code,
            labelKey: 'collection:setup.paintKey',
            labelParams: { shift: t(`shift.${shift}`) },
            when: paints,
            run: () => brush(shift),
          })),
          {
            id: 'shift-clear',
            code: 'Delete',
            labelKey: 'collection:setup.clearKey',
            when: paints,
            run: () => brush('off'),
          },
          {
            id: 'duty-save',
            code: 'Control+Enter',
            labelKey: 'collection:setup.save',
            when: () => save !== null,
            run: () => save?.(),
          },
        ]),
  ])
}
