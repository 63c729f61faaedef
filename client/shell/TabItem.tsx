/** One visited view. Middle click or Delete closes it; right click or the menu key opens what can be done; it can be dragged to another place. */
import { Icon } from '@blueprintjs/core'
import { type DragEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { addressOf, AFFIXED, type Tab } from './tabs.ts'

/** Kind of what is dragged: nothing from elsewhere lands among the tabs. */
const DRAGGED = 'application/x-console-tab'

interface TabItemProps {
  tab: Tab
  title: string
  isActive: boolean
  onClose: () => void
  onMenu: (at: { left: number; top: number }) => void
  /** Another tab was let go over this one. */
  onDrop: (key: string, isAfter: boolean) => void
}

export function TabItem({ tab, title, isActive, onClose, onMenu, onDrop }: TabItemProps) {
  const { t } = useTranslation('shell')
  const item = useRef<HTMLLIElement>(null)
  const isFixed = tab.key === AFFIXED
  /** On which side a dragged tab would land. */
  const [lands, setLands] = useState<'before' | 'after' | null>(null)

  function onDragOver(event: DragEvent) {
    if (!event.dataTransfer.types.includes(DRAGGED)) return
    event.preventDefault()
    const box = event.currentTarget.getBoundingClientRect()
    // nothing stands before the affixed tab
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
        // a link would be dragged as its address
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
