/** Screens that are lists, declared as data at module level. */
import './list-screen.css'
import type { ReactNode } from 'react'
import { useSearchParams } from 'wouter'
import type { ScreenComponent } from '#client/base/feature.ts'
import { useText } from '#client/base/use-text.ts'
import { type SessionUser, useSession } from '#client/session/session-store.ts'
import { Segmented } from '#client/ui/form/Segmented.tsx'
import type { Endpoint } from '#shared/kernel/endpoint.ts'
import { listBody, type ListPart, menuOf } from './ListBody.tsx'
import type { ListSpec, RowOf } from './list-types.ts'
import { useMay } from './use-list-context.ts'

/** A screen that is one list. */
export function listScreen<E extends Endpoint, Row extends object = RowOf<E> & object>(
  spec: ListSpec<E, Row>,
): ScreenComponent {
  const Body = listBody(spec)
  Screen.texts = [...spec.texts, 'grid']
  return Screen

  function Screen(): ReactNode {
    return (
      <ListFrame texts={spec.texts} menu={menuOf(spec)}>
        <Body />
      </ListFrame>
    )
  }
}

interface TabsSpec<Tab extends string> {
  texts: readonly [string, ...string[]]
  menu: string
  /**
   * The first is shown when the address names none; titles are under the key `title`. A list is
   * offered to those who may read it.
   */
  tabs: Record<Tab, ListPart>
  title: string
  /** Else a list is offered to everybody who may read it. */
  offers?: (tab: Tab, user: SessionUser) => boolean
  /** Filters that stay when the list changes, by their names in the address. */
  keeps?: readonly string[]
}

/** A screen of several lists, one at a time, chosen by the address. */
export function tabbedScreen<Tab extends string>({
  texts,
  menu,
  tabs,
  title,
  offers,
  keeps = [],
}: TabsSpec<Tab>): ScreenComponent {
  const names = Object.keys(tabs) as Tab[]
  Screen.texts = [...texts, 'grid']
  return Screen

  function Screen(): ReactNode {
    const t = useText(...texts)
    const [query, setQuery] = useSearchParams()
    const may = useMay()
    const { user } = useSession()
    const open = names.filter((name) => {
      const { endpoint } = tabs[name]
      return (endpoint === undefined || may(endpoint)) && (offers?.(name, user) ?? true)
    })
    const tab = open.find((name) => name === query.get('tab')) ?? open[0]
    if (tab === undefined) return null
    const Body: ListPart = tabs[tab]
    return (
      <ListFrame texts={texts} menu={menu}>
        <Body
          key={tab}
          tabs={
            open.length > 1 && (
              <Segmented
                label={t(`menu.${menu}`)}
                value={tab}
                segments={open.map((value) => ({ value, label: t(`${title}.${value}`) }))}
                onChange={(next) =>
                  setQuery((now) => {
                    const kept = [...now].filter(([name]) => keeps.includes(name))
                    return new URLSearchParams([...kept, ['tab', next]])
                  })
                }
              />
            )
          }
        />
      </ListFrame>
    )
  }
}

function ListFrame({
  texts,
  menu,
  children,
}: {
  texts: readonly string[]
  menu: string
  children: ReactNode
}): ReactNode {
  const t = useText(...texts)
  return (
    <div className="list-screen">
      <h1 className="visually-hidden">{t(`menu.${menu}`)}</h1>
      {children}
    </div>
  )
}
