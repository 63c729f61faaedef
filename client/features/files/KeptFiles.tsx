/**
 * Stored files of a record: pictures are shown with a watermark, a PDF is downloaded. Each opening
 * is logged, so a file is fetched only on request.
 */
import { useText } from '#client/base/use-text.ts'
import './files.css'
import { Button } from '@blueprintjs/core'
import { type ReactNode, useState } from 'react'
import { downloadFile } from '#client/session/file.ts'
import { usePicture } from '#client/session/use-picture.ts'
import { failureText } from '#client/ui/feedback/failure.ts'
import { Segmented } from '#client/ui/form/Segmented.tsx'
import type { Endpoint } from '#shared/kernel/endpoint.ts'
import type { KeptFile } from '#shared/kernel/kept-file.ts'

/** The call that opens files of the record, and the input that names the record. */
export interface FileSource {
  endpoint: Endpoint
  of: Readonly<Record<string, string>>
}

export interface KeptFilesProps {
  files: readonly KeptFile[]
  source: FileSource
  /** The file shown first. */
  first?: number
}

export function KeptFiles({
  files,
  source: { endpoint, of },
  first = 0,
}: KeptFilesProps): ReactNode {
  const t = useText('files')
  const [at, setAt] = useState(first)
  const [isLarge, setLarge] = useState(false)
  const file = files[at]
  const isPdf = file?.kind === 'pdf'
  const input = { ...of, fileId: file?.fileId ?? '' }
  const picture = usePicture(endpoint, file === undefined || isPdf ? null : input)
  const name = t('fileOf', { n: at + 1, of: files.length })
  return (
    <figure className="kept-files">
      {files.length > 1 && (
        <Segmented
          label={t('label')}
          value={String(at)}
          segments={files.map((_, i) => ({ value: String(i), label: String(i + 1) }))}
          onChange={(value) => setAt(Number(value))}
        />
      )}
      <div
        className="file-sheet"
        data-large={isLarge || undefined}
        role="region"
        aria-label={name}
        tabIndex={0}
      >
        {isPdf ? (
          <SavePdf key={file.fileId} endpoint={endpoint} input={input} />
        ) : picture.url ? (
          <img src={picture.url} alt={name} />
        ) : picture.error ? (
          <div role="alert">
            <p>{failureText(picture.error)}</p>
            <Button icon="refresh" text={t('retry')} onClick={picture.retry} />
          </div>
        ) : (
          <span
            className="bp6-skeleton file-blank"
            role="status"
            aria-label={t('ui:grid.loading')}
          />
        )}
      </div>
      <figcaption>
        <span>{t('logged')}</span>
        {picture.url && !isPdf && (
          <Button
            variant="minimal"
            size="small"
            icon={isLarge ? 'zoom-out' : 'zoom-in'}
            text={t(isLarge ? 'smaller' : 'larger')}
            onClick={() => setLarge((large) => !large)}
          />
        )}
      </figcaption>
    </figure>
  )
}

function SavePdf({
  endpoint,
  input,
}: {
  endpoint: Endpoint
  input: Record<string, string>
}): ReactNode {
  const t = useText('files')
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const save = async () => {
    setBusy(true)
    setFailure(null)
    await downloadFile(endpoint, input).catch(setFailure)
    setBusy(false)
  }
  return (
    <div className="file-pdf">
      <p>{t('pdf')}</p>
      <Button icon="download" text={t('save')} loading={isBusy} onClick={() => void save()} />
      {failure !== null && (
        <p role="alert" className="file-wrong">
          {failureText(failure)}
        </p>
      )}
    </div>
  )
}
