/** One visited view. Middle click or Delete closes it; right click or the menu key opens what can be done. */
import { Icon } from '@blueprintjs/core'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { addressOf, AFFIXED, type Tab } from './tabs.ts'

interface TabItemProps {
  tab: Tab
  title: string
  isActive: boolean
  onClose: () => void
  onMenu: (at: { left: number; top: number }) => void
}

export function TabItem({ tab, title, isActive, onClose, onMenu }: TabItemProps) {
  const { t } = useTranslation('shell')
  const item = useRef<HTMLLIElement>(null)
  const isFixed = tab.key === AFFIXED

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
      <Link href={addressOf(tab)} aria-current={isActive ? 'page' : undefined} onKeyDown={onKeyDown} title={title}>
        {title}
      </Link>
      {isFixed ? null : (
        <button type="button" aria-label={t('tabs.closeNamed', { title })} title={t('tabs.close')} onClick={onClose}>
          <Icon icon="small-cross" size={14} />
        </button>
      )}
    </li>
  )
}
