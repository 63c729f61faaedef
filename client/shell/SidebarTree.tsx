import { Icon } from '@blueprintjs/core'
import { useState } from 'react'
import { Link } from 'wouter'
import { iconOr } from '#client/ui/frame/icons.ts'
import type { MenuTreeNode } from '#shared/session/session-api.ts'
import { useServerText } from '#client/session/server-text.ts'
import { SideCount } from './SideCount.tsx'
import { holdsPath, type SideItem, sideItems } from '#client/session/side-items.ts'

/** Nested groups; those around the current page are open unless the user closed them. */
export function SidebarTree({ menu, path }: { menu: readonly MenuTreeNode[]; path: string }) {
  const [folds, setFolds] = useState<Readonly<Record<string, boolean>>>({})
  return (
    <Level
      items={sideItems(menu)}
      depth={0}
      path={path}
      folds={folds}
      onFold={(id, open) => setFolds({ ...folds, [id]: open })}
    />
  )
}

interface LevelProps {
  items: readonly SideItem[]
  depth: number
  path: string
  folds: Readonly<Record<string, boolean>>
  onFold: (id: string, open: boolean) => void
}

function Level({ items, depth, path, folds, onFold }: LevelProps) {
  const text = useServerText()
  return (
    <ul className="side-list" data-depth={depth}>
      {items.map((item) => {
        const title = text(item.title, item.name)
        if (item.children.length === 0) {
          return (
            <li key={item.id}>
              <Link
                href={item.path}
                className="side-item"
                aria-current={item.path === path ? 'page' : undefined}
              >
                {depth === 0 ? <Icon icon={iconOr(item.icon, 'dot')} /> : null}
                <span className="side-text">{title}</span>
                <SideCount item={item} />
              </Link>
            </li>
          )
        }
        const open = folds[item.id] ?? holdsPath(item, path)
        return (
          <li key={item.id}>
            <button
              type="button"
              className="side-item"
              aria-expanded={open}
              data-holds={holdsPath(item, path) || undefined}
              onClick={() => onFold(item.id, !open)}
            >
              {depth === 0 ? <Icon icon={iconOr(item.icon, 'dot')} /> : null}
              <span className="side-text">{title}</span>
              {open ? null : <SideCount item={item} />}
              <Icon icon="chevron-down" size={14} className="side-chevron" />
            </button>
            {open ? (
              <Level
                items={item.children}
                depth={depth + 1}
                path={path}
                folds={folds}
                onFold={onFold}
              />
            ) : null}
          </li>
        )
      })}
    </ul>
  )
}
