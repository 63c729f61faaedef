import './banner.css'
import { Icon, type IconName } from '@blueprintjs/core'
import { type ReactNode, useEffect } from 'react'
import { alarm } from './announce.ts'

export interface BannerMessage {
  tone: 'bad' | 'warn' | 'good' | 'info'
  icon: IconName
  text: string
  /** Announced assertively, because it stops the work. */
  isUrgent?: boolean
  action?: ReactNode
}

/** One line that explains the state of what is open; nothing without a message. */
export function Banner({ message }: { message: BannerMessage | null }): ReactNode {
  const text = message?.text ?? ''
  const isUrgent = message?.isUrgent ?? false
  useEffect(() => {
    if (isUrgent) alarm(text)
  }, [text, isUrgent])
  if (!message) return null
  return (
    <div className={`banner banner-${message.tone}`} role="status">
      <Icon icon={message.icon} /> <span className="banner-text">{message.text}</span>
      {message.action && <span className="banner-end">{message.action}</span>}
    </div>
  )
}
