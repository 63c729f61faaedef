/**
 * One visited view. Middle click or Delete closes it, right click or the menu key opens its menu,
 * and it can be dragged to another position.
 */
import { Icon } from '@blueprintjs/core'
import { type DragEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import { useText } from '#client/base/use-text.ts'
import { addressOf, AFFIXED, type Tab } from '#client/screen/tabs.ts'

/** Data type of a dragged tab: nothing else can be dropped among the tabs. */
const DRAGGED = 'application/x-console-tab'

interface TabItemProps {
  tab: Tab
  title: string
  isActive: boolean
  onClose: () => void
  onMenu: (at: { left: number; top: number }) => void
  /** Another tab was dropped on this one. */
  onDrop: (key: string, isAfter: boolean) => void
}

export function TabItem({ tab, title, isActive, onClose, onMenu, onDrop }: TabItemProps) {
  const t = useText('shell')
  const item = useRef<HTMLLIElement>(null)
  const isFixed = tab.key === AFFIXED
  /** The side on which a dragged tab would be inserted. */
  const [lands, setLands] = useState<'before' | 'after' | null>(null)

  function onDragOver(event: DragEvent) {
    if (!event.dataTransfer.types.includes(DRAGGED)) return
    event.preventDefault()
    const box = event.currentTarget.getBoundingClientRect()
    // Nothing can be placed before the fixed tab.
    setLands(isFixed || event.clientX > box.left + box.width / 2 ? 'after' : 'before')
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Delete' && !isFixed) onClose()
    if (event.key !== 'ContextMenu' && !(event.shiftKey && event.key === 'F10')) return
    event.preventDefault()
    const box = event.currentTarget.getBoundingClientRect()
    onMenu({ left: box.left, top: box.bottom })
  }

  useEffect(() => {
    if (isActive) item.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [isActive])

  return (
    <li
      ref={item}
      className="tab"
      data-active={isActive || undefined}
      data-lands={lands ?? undefined}
      draggable={!isFixed}
      onDragStart={(event) => {
        // A link would otherwise be dragged as its address.
        event.dataTransfer.clearData()
        event.dataTransfer.setData(DRAGGED, tab.key)
        event.dataTransfer.effectAllowed = 'move'
      }}
      onDragOver={onDragOver}
      onDragLeave={() => setLands(null)}
      onDrop={(event) => {
        setLands(null)
        const key = event.dataTransfer.getData(DRAGGED)
        if (key === '') return
        event.preventDefault()
        onDrop(key, lands === 'after')
      }}
      onAuxClick={(event) => {
        if (event.button !== 1 || isFixed) return
        event.preventDefault()
        onClose()
      }}
      onContextMenu={(event) => {
        event.preventDefault()
        onMenu({ left: event.clientX, top: event.clientY })
      }}
    >
      <Link
        draggable={false}
        href={addressOf(tab)}
        aria-current={isActive ? 'page' : undefined}
        onKeyDown={onKeyDown}
        title={title}
      >
        {title}
      </Link>
      {isFixed ? null : (
        <button
          type="button"
          aria-label={t('tabs.closeNamed', { title })}
          title={t('tabs.close')}
          onClick={onClose}
        >
          <Icon icon="small-cross" size={14} />
        </button>
      )}
    </li>
  )
}
