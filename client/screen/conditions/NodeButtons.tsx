import { Button } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { moveNode } from './condition-draft.ts'
import { useEditor } from './editor-context.ts'

/** What can be done with a comparison or a group. */
export function NodeButtons({ id }: { id: string }): ReactNode {
  const { t, root, move, duplicate, remove } = useEditor()
  const canMove = (by: -1 | 1) => moveNode(root, id, by) !== root
  return (
    <span className="condition-buttons">
      <Button
        size="small"
        variant="minimal"
        icon="arrow-up"
        aria-label={t('moveUp')}
        title={`${t('moveUp')} (Ctrl+Shift+↑)`}
        data-part="up"
        disabled={!canMove(-1)}
        onClick={() => move(id, -1, 'up')}
      />
      <Button
        size="small"
        variant="minimal"
        icon="arrow-down"
        aria-label={t('moveDown')}
        title={`${t('moveDown')} (Ctrl+Shift+↓)`}
        data-part="down"
        disabled={!canMove(1)}
        onClick={() => move(id, 1, 'down')}
      />
      <Button
        size="small"
        variant="minimal"
        icon="duplicate"
        aria-label={t('duplicate')}
        title={`${t('duplicate')} (Ctrl+D)`}
        onClick={() => duplicate(id)}
      />
      <Button
        size="small"
        variant="minimal"
        icon="cross"
        aria-label={t('remove')}
        title={t('remove')}
        onClick={() => remove(id)}
      />
    </span>
  )
}
