/** A version goes out as a JDM file, and a file comes in as what a new draft begins with. */
import { Button } from '@blueprintjs/core'
import { type ReactNode, useRef, useState } from 'react'
import { saveFile } from '#client/base/save-file.ts'
import { useText } from '#client/base/use-text.ts'
import { useSend } from '#client/session/query.ts'
import { failureText } from '#client/ui/feedback/failure.ts'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import { JDM_MOST, readRuleFile, ruleFile } from '#shared/rules/tables/table-api.ts'

export function SaveFileButton({ id, versionNo }: { id: string; versionNo: number }): ReactNode {
  const t = useText('rules')
  const read = useSend(ruleFile)
  async function save(): Promise<void> {
    const { fileName, content } = await read.mutateAsync({ id, versionNo })
    saveFile(new Blob([content], { type: 'application/json' }), fileName)
  }
  return (
    <Button
      size="small"
      variant="minimal"
      icon="download"
      text={t('file.save')}
      aria-label={t('file.saveVersion', { n: versionNo })}
      loading={read.isPending}
      onClick={() => void save().catch(() => {})}
    />
  )
}

type FileContent = DataOf<typeof readRuleFile>

export function ReadFileButton<Kind extends FileContent['kind']>({
  kind,
  onRead,
}: {
  kind: Kind
  onRead: (content: Extract<FileContent, { kind: Kind }>) => void
}): ReactNode {
  const t = useText('rules')
  const input = useRef<HTMLInputElement>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const read = useSend(readRuleFile, { quiet: true })
  async function take(file: File): Promise<void> {
    setFailure(null)
    // characters are at most as many as bytes
    if (file.size > JDM_MOST) return setFailure(t('file.tooLarge', { n: JDM_MOST / 1000 }))
    try {
      const content = await read.mutateAsync({ content: await file.text() })
      if (content.kind === kind) onRead(content as Extract<FileContent, { kind: Kind }>)
      else setFailure(t(`file.other.${kind}`))
    } catch (error) {
      setFailure(failureText(error))
    }
  }
  return (
    <div className="rule-file">
      <input
        ref={input}
        type="file"
        accept=".json,application/json"
        className="visually-hidden"
        tabIndex={-1}
        aria-label={t('file.read')}
        onChange={(event) => {
          const file = event.target.files?.[0]
          if (file) void take(file)
          // the same file can be chosen again
          event.target.value = ''
        }}
      />
      <Button
        size="small"
        icon="import"
        text={t('file.read')}
        loading={read.isPending}
        onClick={() => input.current?.click()}
      />
      {failure !== null && (
        <p className="fault" role="alert">
          {failure}
        </p>
      )}
    </div>
  )
}
