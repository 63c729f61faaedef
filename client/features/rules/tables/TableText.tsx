import './tables.css'
import type { ReactNode } from 'react'
import { useText } from '#client/base/use-text.ts'
import { namespacesOf } from '#client/screen/conditions/condition-words.ts'
import {
  type DecisionTable,
  inputField,
  TABLE_CATALOGUE,
} from '#shared/rules/tables/decision-table.ts'
import { cellText, outputText } from './cell-text.ts'
import { columnsOf, columnTitle, wordsOf } from './table-words.ts'

interface TextProps {
  table: DecisionTable
  label: string
  /** The row that is hit, from 0. */
  hit?: number | null
  /** Of the rows that were looked at, whether each cell holds. */
  cells?: readonly (readonly (boolean | null)[])[]
  /** Cells that differ from this one are marked. */
  before?: DecisionTable
}

/** A table to read: with the row that was hit, or with what changed in it. */
export function TableText({ table, label, hit = null, cells = [], before }: TextProps): ReactNode {
  const t = useText('rules', 'conditions', ...namespacesOf(TABLE_CATALOGUE))
  const columns = columnsOf(table)
  const old = before === undefined ? null : textsOf(before, t)
  const texts = textsOf(table, t)
  return (
    // it scrolls where it is wider than its place, by keyboard too
    <div className="decision-scroll" role="region" aria-label={label} tabIndex={0}>
      <table className="decision-table" aria-label={label}>
        <thead>
          <tr>
            <th scope="col">{t('table.row')}</th>
            {columns.map((name, i) => (
              <th
                scope="col"
                key={name}
                className={i >= table.inputs.length ? 'is-output' : undefined}
              >
                {columnTitle(t, name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {texts.map((row, at) => (
            <tr key={at} className={at === hit ? 'is-hit' : undefined}>
              <th scope="row">
                {at + 1}
                {at === hit && <span className="decision-hit">{t('table.hit')}</span>}
              </th>
              {columns.map((name, i) => (
                <td key={name} className={tone(cells[at]?.[i], old, row, name, at)}>
                  {row[name] || (i < table.inputs.length ? t('table.any') : '—')}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

type Texts = Record<string, string>[]

function textsOf({ inputs, outputs, rows }: DecisionTable, t: ReturnType<typeof useText>): Texts {
  return rows.map(({ when, gives }) =>
    Object.fromEntries([
      ...inputs.map((name, i) => {
        const field = inputField(name)
        return [name, field ? cellText(field, when[i] ?? null, wordsOf(t, name)) : '']
      }),
      ...outputs.map((name, i) => [name, outputText(name, gives[i] ?? null)]),
    ]),
  )
}

function tone(
  truth: boolean | null | undefined,
  old: Texts | null,
  row: Texts[number],
  name: string,
  at: number,
): string | undefined {
  if (truth !== undefined) return truth === null ? 'is-open' : truth ? 'is-true' : 'is-false'
  // a row that only moved because another one was added above is shown as before
  if (old === null || old.some((one) => isSame(one, row))) return undefined
  return old[at]?.[name] === row[name] ? undefined : 'is-changed'
}

function isSame(a: Texts[number], b: Texts[number]): boolean {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((name) => a[name] === b[name])
}
