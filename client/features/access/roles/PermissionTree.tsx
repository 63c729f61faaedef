/**
 * Menus and their buttons with a checkbox each. Collapsing and searching only hide rows; checked
 * boxes stay checked.
 */
import { useText } from '#client/base/use-text.ts'
import { Icon } from '@blueprintjs/core'
import { type ReactNode, useId } from 'react'
import { type PermissionNode, stateOf, type Ticks } from '#shared/access/permission-tree.ts'

interface PermissionTreeProps {
  tree: readonly PermissionNode[]
  ticks: Ticks
  /** Permissions that cannot be removed. */
  kept: Ticks
  /** The stored permissions; differences are marked. */
  saved: Ticks
  folded: ReadonlySet<string>
  search: string
  readOnly: boolean
  word: (title: string, otherwise: string) => string
  onToggle: (tick: string) => void
  onFold: (menu: string) => void
}

export function PermissionTree({ tree, ...rest }: PermissionTreeProps): ReactNode {
  const t = useText('access')
  const shown = matching(tree, rest.search, rest.word)
  if (shown.length === 0) return <p className="access-hint">{t('role.noMatch')}</p>
  return <Branch nodes={shown} {...rest} />
}

function Branch({
  nodes,
  ...rest
}: Omit<PermissionTreeProps, 'tree'> & { nodes: readonly PermissionNode[] }): ReactNode {
  return (
    <ul className="perm-branch">
      {nodes.map((node) => (
        <Row key={node.id} node={node} {...rest} />
      ))}
    </ul>
  )
}

function Row({
  node,
  ...rest
}: Omit<PermissionTreeProps, 'tree'> & { node: PermissionNode }): ReactNode {
  const t = useText('access')
  const id = useId()
  const { ticks, kept, saved, folded, search, readOnly, word, onToggle, onFold } = rest
  const title = word(node.title, node.name)
  const state = stateOf(node, ticks)
  const isGroup = node.children.length > 0
  const isOpen = search !== '' || !folded.has(node.name)
  const changed = (tick: string) =>
    ticks.has(tick) === saved.has(tick) ? '' : ticks.has(tick) ? ' is-added' : ' is-removed'
  return (
    <li>
      <div className={`perm-row${isGroup ? ' is-group' : ''}`}>
        {isGroup ? (
          <button
            type="button"
            className="perm-fold"
            aria-expanded={isOpen}
            aria-controls={id}
            aria-label={t(isOpen ? 'role.foldOne' : 'role.expandOne', { title })}
            onClick={() => onFold(node.name)}
          >
            <Icon icon={isOpen ? 'caret-down' : 'caret-right'} />
          </button>
        ) : (
          <span className="perm-fold" />
        )}
        <label
          className={`check perm-menu${changed(node.name)}`}
          title={kept.has(node.name) ? t('role.kept') : undefined}
        >
          <input
            type="checkbox"
            checked={isGroup ? state !== 'none' : ticks.has(node.name)}
            ref={(box) => {
              if (box) box.indeterminate = isGroup && state === 'some'
            }}
            disabled={readOnly || (kept.has(node.name) && ticks.has(node.name) && !isGroup)}
            onChange={() => onToggle(node.name)}
          />
          <span>{title}</span>
          {node.visible === 1 && <small>{t('role.hidden')}</small>}
        </label>
        {node.buttons.length > 0 && (
          <span className="perm-buttons" role="group" aria-label={t('role.buttonsOf', { title })}>
            {node.buttons.map(({ code, title: key }) => {
              const tick = `${node.name}:${code}`
              return (
                <label
                  key={code}
                  className={`check${changed(tick)}`}
                  title={kept.has(tick) ? t('role.kept') : undefined}
                >
                  <input
                    type="checkbox"
                    checked={ticks.has(tick)}
                    disabled={readOnly || (kept.has(tick) && ticks.has(tick))}
                    onChange={() => onToggle(tick)}
                  />
                  {word(key, code)}
                </label>
              )
            })}
          </span>
        )}
      </div>
      {isGroup && <div id={id}>{isOpen && <Branch nodes={node.children} {...rest} />}</div>}
    </li>
  )
}

/**
 * Menus whose title, name or buttons match the text, with the groups above them; a group that
 * matches itself keeps all of its menus.
 */
function matching(
  nodes: readonly PermissionNode[],
  search: string,
  word: PermissionTreeProps['word'],
): PermissionNode[] {
  const wanted = search.trim().toLowerCase()
  if (wanted === '') return [...nodes]
  const fits = (text: string) => text.toLowerCase().includes(wanted)
  return nodes.flatMap((node) => {
    if (
      fits(word(node.title, node.name)) ||
      fits(node.name) ||
      node.buttons.some(({ code, title }) => fits(word(title, code)))
    )
      return [node]
    const children = matching(node.children, search, word)
    return children.length > 0 ? [{ ...node, children }] : []
  })
}
