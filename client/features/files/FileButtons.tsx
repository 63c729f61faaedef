/** One button per file, beside the text it came with. Nothing is fetched before a click. */
import { lazyPart } from '#client/base/load-part.ts'
import { useText } from '#client/base/use-text.ts'
import './files.css'
import { Button } from '@blueprintjs/core'
import { type ReactNode, useState } from 'react'
import type { KeptFile } from '#shared/kernel/kept-file.ts'
import type { FileSource } from './KeptFiles.tsx'

const FilesDialog = lazyPart(() =>
  import('./FilesDialog.tsx').then((m) => ({ default: m.FilesDialog })),
)

export interface FileButtonsProps {
  files: readonly KeptFile[]
  source: FileSource
  /** Title of the dialog that shows them. */
  title: string
}

export function FileButtons({ files, source, title }: FileButtonsProps): ReactNode {
  const t = useText('files')
  const [shown, setShown] = useState<number | null>(null)
  return (
    <>
      <ul className="file-buttons" aria-label={t('label')}>
        {files.map(({ fileId, kind }, i) => (
          <li key={fileId}>
            <Button
              size="small"
              icon={kind === 'pdf' ? 'document' : 'eye-open'}
              text={t(kind === 'pdf' ? 'paper' : 'picture', { n: i + 1 })}
              onClick={() => setShown(i)}
            />
          </li>
        ))}
      </ul>
      {shown === null ? null : (
        <FilesDialog
          title={title}
          files={files}
          source={source}
          first={shown}
          onClose={() => setShown(null)}
        />
      )}
    </>
  )
}
