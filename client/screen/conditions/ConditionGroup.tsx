import { Button } from '@blueprintjs/core'
import type { MouseEvent, ReactNode } from 'react'
import { Segmented } from '#client/ui/form/Segmented.tsx'
import { GROUP_KINDS } from '#shared/conditions/condition.ts'
import {
  changeNode,
  type DraftGroup,
  emptyComparison,
  isDraftGroup,
  mayNest,
  newGroup,
} from './condition-draft.ts'
import { ConditionRow } from './ConditionRow.tsx'
import { useEditor } from './editor-context.ts'
import { NodeButtons } from './NodeButtons.tsx'

/** "All of" or "any of" over its members, which may be groups again. */
export function ConditionGroup({
  group,
  isRoot = false,
}: {
  group: DraftGroup
  isRoot?: boolean
}): ReactNode {
  const { t, root, change, add, faultOf } = useEditor()
  const { id, kind, of } = group
  const fault = faultOf(id)
  return (
    <div
      className={`condition-group is-${kind}${fault ? ' is-wrong' : ''}`}
      role="group"
      aria-label={t(`group.${kind}`)}
      data-node={id}
    >
      <div className="condition-head">
        <Segmented
          label={t('group.kind')}
          value={kind}
          segments={GROUP_KINDS.map((value) => ({ value, label: t(`group.${value}`) }))}
          onChange={(next) => change(changeNode(root, { ...group, kind: next }))}
        />
        <span className="condition-spring" />
        {!isRoot && <NodeButtons id={id} />}
      </div>
      {of.length > 0 && (
        <ul className="condition-members">
          {of.map((node, i) => (
            <li key={node.id} className="condition-member">
              <span className="condition-joint">{i > 0 && t(`joint.${kind}`)}</span>
              {isDraftGroup(node) ? <ConditionGroup group={node} /> : <ConditionRow node={node} />}
            </li>
          ))}
        </ul>
      )}
      {fault && (
        <p className="fault" role="alert">
          {t(`fault.${fault}`)}
        </p>
      )}
      <div className="condition-add" onMouseDown={keepFocus}>
        <Button
          size="small"
          variant="minimal"
          icon="plus"
          text={t('addComparison')}
          data-part="add"
          onClick={() => add(id, emptyComparison())}
        />
        {mayNest(root, id) && (
          <Button
            size="small"
            variant="minimal"
            icon="plus"
            text={t('addGroup')}
            onClick={() => add(id, newGroup(kind === 'all' ? 'any' : 'all'))}
          />
        )}
      </div>
    </div>
  )
}

/**
 * What a field means is shown while it has the focus: losing it on the press would move the button
 * away from under the pointer.
 */
function keepFocus(event: MouseEvent): void {
  event.preventDefault()
}
