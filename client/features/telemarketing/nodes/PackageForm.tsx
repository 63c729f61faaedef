import { type ReactNode, useState } from 'react'
import { useText } from '#client/base/use-text.ts'
import { showMessage } from '#client/session/messages.ts'
import { useSend } from '#client/session/query.ts'
import { ConfirmAction } from '#client/ui/feedback/ConfirmAction.tsx'
import { ListOrSheet } from '#client/ui/form/ListOrSheet.tsx'
import { setPackage } from '#shared/telemarketing/node-api.ts'
import type { MarketingNode } from './node-types.ts'

/** Replaces the customer list of a package by pasted ids, a sheet, or both. */
export function PackageForm({
  node,
  onDone,
  onClose,
}: {
  node: MarketingNode
  onDone: () => void
  onClose: () => void
}): ReactNode {
  const t = useText('telemarketing')
  const send = useSend(setPackage)
  const [list, setList] = useState('')
  const [file, setFile] = useState<File | null>(null)
  async function save(): Promise<void> {
    const answer = await send.mutateAsync({
      nodeId: node.nodeId,
      list,
      ...(file === null ? {} : { file: [file] }),
    })
    const { unknown, repeated, unreadable } = answer
    const hasRest = unknown + repeated + unreadable > 0
    void showMessage({
      intent: hasRest ? 'warning' : 'success',
      message: t(hasRest ? 'node.list.doneRest' : 'node.list.done', { ...answer }),
      key: 'package',
    })
    onDone()
  }
  return (
    <ConfirmAction
      isOpen
      intent="primary"
      title={t('node.list.title', { name: node.name })}
      confirmText={t('node.list.save')}
      hasFocus
      onConfirm={save}
      onClose={onClose}
    >
      <p>{t('node.list.now', { count: node.packageCount })}</p>
      <ListOrSheet
        id="package-ids"
        label={t('node.list.ids')}
        placeholder="C10000001"
        rows={6}
        takesFocus
        list={list}
        file={file}
        onChange={(next, sheet) => {
          setList(next)
          setFile(sheet)
        }}
      />
    </ConfirmAction>
  )
}
