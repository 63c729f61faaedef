import { Icon, Menu, MenuItem, PopoverNext } from '@blueprintjs/core'
import { Fragment, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { iconOr } from '#client/ui/frame/icons.ts'
import type { MenuTreeNode } from '#shared/session/session-api.ts'
import { MenuTitle } from './MenuTitle.tsx'
import { useServerText } from '#client/session/server-text.ts'
import { SideCount } from './SideCount.tsx'
import { holdsPath, type SideItem, sideItems } from '#client/session/side-items.ts'

/** The collapsed sidebar: an icon for each root; a group opens beside it. */
export function RailMenu({ menu, path }: { menu: readonly MenuTreeNode[]; path: string }) {
  const text = useServerText()
  const [open, setOpen] = useState<string | null>(null)
  return (
    <ul className="side-list" data-depth="0">
      {sideItems(menu).map((item) => {
        const title = text(item.title, item.name)
        const icon = (
          <>
            <Icon icon={iconOr(item.icon, 'dot')} size={18} />
            <span className="visually-hidden">{title}</span>
            <SideCount item={item} />
          </>
        )
        return (
          <li key={item.id}>
            {item.children.length === 0 ? (
              <Link
                href={item.path}
                className="side-item"
                title={title}
                aria-current={item.path === path ? 'page' : undefined}
              >
                {icon}
              </Link>
            ) : (
              <PopoverNext
                placement="right-start"
                isOpen={open === item.id}
                onInteraction={(next) => setOpen(next ? item.id : null)}
                content={<Flyout group={item} path={path} onGo={() => setOpen(null)} />}
                renderTarget={({ isOpen, ref, ...target }) => (
                  <button
                    type="button"
                    {...target}
                    ref={ref as React.Ref<HTMLButtonElement>}
                    className="side-item"
                    title={isOpen ? undefined : title}
                    aria-haspopup="menu"
                    aria-expanded={isOpen}
                    data-holds={holdsPath(item, path) || undefined}
                  >
                    {icon}
                  </button>
                )}
              />
            )}
          </li>
        )
      })}
    </ul>
  )
}

function Flyout({ group, path, onGo }: { group: SideItem; path: string; onGo: () => void }) {
  const text = useServerText()
  const [, navigate] = useLocation()
  const rows = (items: readonly SideItem[]) =>
    items.map((item) =>
      item.children.length > 0 ? (
        <Fragment key={item.id}>
          <MenuTitle>{text(item.title, item.name)}</MenuTitle>
          {rows(item.children)}
        </Fragment>
      ) : (
        <MenuItem
          key={item.id}
          text={text(item.title, item.name)}
          labelElement={<SideCount item={item} />}
          href={item.path}
          selected={item.path === path}
          onClick={(event) => {
            // A plain click stays in the page; with Ctrl or the middle button the browser opens its
            // own tab.
            if (event.ctrlKey || event.metaKey || event.shiftKey) return
            event.preventDefault()
            navigate(item.path)
            onGo()
          }}
        />
      ),
    )
  return (
    <Menu className="side-flyout">
      <MenuTitle>{text(group.title, group.name)}</MenuTitle>
      {rows(group.children)}
    </Menu>
  )
}
