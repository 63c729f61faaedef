/** A new batch: what is done to which orders; a preview first, and exactly that is started. */
import './rules.css'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useText } from '#client/base/use-text.ts'
import { messageOf } from '#client/session/call-error.ts'
import { downloadFile } from '#client/session/file.ts'
import { showMessage } from '#client/session/messages.ts'
import { queryOf, useSend } from '#client/session/query.ts'
import { ConfirmAction } from '#client/ui/feedback/ConfirmAction.tsx'
import { DayInput } from '#client/ui/form/DayInput.tsx'
import { ListOrSheet } from '#client/ui/form/ListOrSheet.tsx'
import { Segmented } from '#client/ui/form/Segmented.tsx'
import { listProducts } from '#shared/products/products-api.ts'
import { batchTemplate, previewBatch, startBatch } from '#shared/rules/batch-api.ts'
import {
  BATCH_KINDS,
  BATCH_PARAMS,
  BATCH_SOURCES,
  type BatchKind,
  type BatchParams,
} from '#shared/rules/batch-sets.ts'
import { BatchParamFields, NO_PARAMS } from './BatchParamFields.tsx'
import { BatchPreviewPane } from './BatchPreviewPane.tsx'
import type { BatchPreview } from './batch-types.ts'

interface Draft {
  type: BatchKind
  source: (typeof BATCH_SOURCES)[number]
  /** IST days; NaN while what was typed is none. */
  dayFrom: string | number | null
  dayTo: string | number | null
  /** Empty: of every product. */
  productId: string
  list: string
  file: File | null
  /** What the type needs; NaN while what was typed is no value. */
  params: Readonly<Record<keyof BatchParams, number | null>>
}
const EMPTY: Draft = {
  type: 'credit',
  source: 'filter',
  dayFrom: null,
  dayTo: null,
  productId: '',
  list: '',
  file: null,
  params: NO_PARAMS,
}

export function StartBatchForm({
  onDone,
  onClose,
}: {
  onDone: () => void
  onClose: () => void
}): ReactNode {
  const t = useText('rules')
  const look = useSend(previewBatch)
  const start = useSend(startBatch)
  const [draft, setDraft] = useState(EMPTY)
  const [preview, setPreview] = useState<BatchPreview | null>(null)
  const { type, source } = draft
  const isReady = preview !== null && preview.orderIds.length > 0

  function change(part: Partial<Draft>): void {
    setDraft({ ...draft, ...part })
    setPreview(null)
  }
  /** The dialog stays open behind it: a second press starts the previewed orders. */
  async function check(): Promise<never> {
    if (source === 'file' && draft.list.trim() === '' && draft.file === null)
      void showMessage({ intent: 'warning', message: t('form.nothing'), key: 'batch:none' })
    else if (source === 'filter' && [draft.dayFrom, draft.dayTo].some(Number.isNaN))
      void showMessage({ intent: 'warning', message: t('form.badDay'), key: 'batch:day' })
    else if (isIncomplete(draft))
      void showMessage({ intent: 'warning', message: t('form.noParam'), key: 'batch:param' })
    else if (isUneven(draft))
      void showMessage({ intent: 'warning', message: t('form.unevenTerm'), key: 'batch:term' })
    else setPreview(await look.mutateAsync(inputOf(draft)))
    throw new Error('not asked yet')
  }
  async function begin({ orderIds }: BatchPreview, reason: string): Promise<void> {
    const { batchId } = await start.mutateAsync({
      type,
      source,
      orderIds,
      reason,
      ...paramsOf(draft),
    })
    void showMessage({
      intent: 'success',
      message: t('done.started', { batchId }),
      key: `batch:${batchId}`,
    })
    onDone()
  }
  return (
    <ConfirmAction
      isOpen
      intent="primary"
      title={t('start')}
      {...(isReady ? { count: preview.orderIds.length, reason: { min: 4, max: 200 } } : {})}
      confirmText={t(isReady ? 'form.start' : 'form.check')}
      onConfirm={(reason) => (isReady ? begin(preview, reason) : check())}
      onClose={onClose}
    >
      <div className="batch-form">
        <label className="batch-param">
          {t('col.type')}
          <span className="bp6-html-select field-select">
            <select
              value={type}
              onChange={(event) =>
                change({ type: event.target.value as BatchKind, params: EMPTY.params })
              }
            >
              {BATCH_KINDS.map((value) => (
                <option key={value} value={value}>
                  {t(`kind.${value}`)}
                </option>
              ))}
            </select>
            <span className="field-caret" aria-hidden="true" />
          </span>
        </label>
        <p className="batch-hint">{t(`means.${type}`)}</p>
        <BatchParamFields
          type={type}
          params={draft.params}
          onChange={(params) => change({ params })}
        />
        <Segmented
          label={t('col.source')}
          value={source}
          segments={BATCH_SOURCES.map((value) => ({ value, label: t(`source.${value}`) }))}
          onChange={(next) => change({ source: next })}
        />
        {source === 'filter' ? (
          <Filter draft={draft} onChange={change} />
        ) : (
          <Named draft={draft} onChange={change} />
        )}
        {preview && <BatchPreviewPane type={type} preview={preview} />}
      </div>
    </ConfirmAction>
  )
}

/** The values that the type needs. */
function paramsOf({ params }: Draft): BatchParams {
  return Object.fromEntries(
    Object.entries(params).filter(([, value]) => value !== null && !Number.isNaN(value)),
  )
}

function isIncomplete(draft: Draft): boolean {
  const given = paramsOf(draft)
  const ways = BATCH_PARAMS[draft.type]
  return ways.length > 0 && !ways.some((way) => way.every((name) => given[name] !== undefined))
}

/** Each instalment has the same number of days. */
function isUneven({ params: { tenureDays, term } }: Draft): boolean {
  return tenureDays !== null && term !== null && (tenureDays < term || tenureDays % term !== 0)
}

function inputOf(draft: Draft) {
  const { type, source, dayFrom, dayTo, productId, list, file } = draft
  const params = paramsOf(draft)
  if (source === 'file')
    return { type, source, list, ...params, ...(file === null ? {} : { file: [file] }) }
  return {
    type,
    source,
    ...params,
    ...(typeof dayFrom === 'string' && { dayFrom }),
    ...(typeof dayTo === 'string' && { dayTo }),
    ...(productId !== '' && { productId }),
  }
}

interface PartProps {
  draft: Draft
  onChange: (part: Partial<Draft>) => void
}

function Filter({ draft, onChange }: PartProps): ReactNode {
  const t = useText('rules')
  const { data } = useQuery(
    queryOf(listProducts, { pageSize: 200, sort: 'name:asc' }, { quiet: true }),
  )
  return (
    <div className="batch-days">
      {(['dayFrom', 'dayTo'] as const).map((name) => (
        <label key={name}>
          {t(`form.${name}`)}
          <DayInput value={draft[name]} onChange={(day) => onChange({ [name]: day })} />
        </label>
      ))}
      <label>
        {t('form.product')}
        <span className="bp6-html-select field-select">
          <select
            value={draft.productId}
            onChange={(event) => onChange({ productId: event.target.value })}
          >
            <option value="">{t('form.everyProduct')}</option>
            {data?.rows.map(({ productId, name }) => (
              <option key={productId} value={productId}>
                {name}
              </option>
            ))}
          </select>
          <span className="field-caret" aria-hidden="true" />
        </span>
      </label>
    </div>
  )
}

function Named({ draft: { list, file }, onChange }: PartProps): ReactNode {
  const t = useText('rules')
  const template = (format: 'xlsx' | 'csv') =>
    void downloadFile(batchTemplate, { format, title: t('col.orderId') }).catch((error: unknown) =>
      showMessage({ intent: 'warning', message: messageOf(error), key: 'download' }),
    )
  return (
    <ListOrSheet
      id="batch-run-orders"
      label={t('form.orders')}
      placeholder="L10000001"
      list={list}
      file={file}
      onChange={(next, sheet) => onChange({ list: next, file: sheet })}
      onTemplate={template}
    />
  )
}
