import { useText } from '#client/base/use-text.ts'
import type { ReactNode } from 'react'
import { MoneyInput } from '#client/ui/form/MoneyInput.tsx'
import { ALLOCATION_MODES } from '#shared/collection/collection-sets.ts'
import { NumberCell } from './NumberCell.tsx'
import type { Rules } from './rule-types.ts'

type Stage = Rules['perStage'][number]

/** Rules of each stage, one line a stage. */
export function StageTable({
  stages,
  onChange,
}: {
  stages: readonly Stage[]
  onChange: (stages: Stage[]) => void
}): ReactNode {
  const t = useText('collection')
  const set = (stageId: string, change: Partial<Stage>) =>
    onChange(stages.map((stage) => (stage.stageId === stageId ? { ...stage, ...change } : stage)))
  const name = (column: string, { stageId }: Stage) => `${t(`rules.stage.${column}`)} · ${stageId}`
  return (
    <div className="rules-scroll">
      <table className="plain-table has-controls rules-stages">
        <thead>
          <tr>
            {[
              'stageId',
              'mode',
              'keepCollector',
              'recallAfterDays',
              'capacity',
              'ptpMaxDays',
              'firstContactHours',
              'dailyTarget',
            ].map((column) => (
              <th key={column} scope="col">
                {t(`rules.stage.${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {stages.map((stage) => (
            <tr key={stage.stageId}>
              <th scope="row">{stage.stageId}</th>
              <td>
                <span className="bp6-html-select field-select">
                  <select
                    aria-label={name('mode', stage)}
                    value={stage.mode}
                    onChange={(event) =>
                      set(stage.stageId, { mode: event.target.value as Stage['mode'] })
                    }
                  >
                    {ALLOCATION_MODES.map((mode) => (
                      <option key={mode} value={mode}>
                        {t(`mode.${mode}`)}
                      </option>
                    ))}
                  </select>
                  <span className="field-caret" aria-hidden="true" />
                </span>
              </td>
              <td>
                <label className="check">
                  <input
                    type="checkbox"
                    role="switch"
                    aria-label={name('keepCollector', stage)}
                    checked={stage.keepCollector}
                    onChange={(event) =>
                      set(stage.stageId, { keepCollector: event.target.checked })
                    }
                  />
                </label>
              </td>
              <td>
                <NumberCell
                  name={name('recallAfterDays', stage)}
                  value={stage.recallAfterDays}
                  min={0}
                  max={30}
                  onChange={(recallAfterDays) => set(stage.stageId, { recallAfterDays })}
                />
              </td>
              <td>
                <NumberCell
                  name={name('capacity', stage)}
                  value={stage.capacity}
                  min={1}
                  max={500}
                  onChange={(capacity) => set(stage.stageId, { capacity })}
                />
              </td>
              <td>
                <NumberCell
                  name={name('ptpMaxDays', stage)}
                  value={stage.ptpMaxDays}
                  min={0}
                  max={30}
                  onChange={(ptpMaxDays) => set(stage.stageId, { ptpMaxDays })}
                />
              </td>
              <td>
                <NumberCell
                  name={name('firstContactHours', stage)}
                  value={stage.firstContactHours}
                  min={1}
                  max={240}
                  onChange={(firstContactHours) => set(stage.stageId, { firstContactHours })}
                />
              </td>
              <td>
                <MoneyInput
                  aria-label={name('dailyTarget', stage)}
                  value={stage.dailyTarget}
                  onChange={(dailyTarget) =>
                    set(stage.stageId, { dailyTarget: dailyTarget ?? Number.NaN })
                  }
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
