/**
 * One document: a placeholder while loading, an error tile with a retry when it cannot be shown.
 * Enlarged documents can be dragged and scrolled.
 */
import { useText } from '#client/base/use-text.ts'
import { Button } from '@blueprintjs/core'
import { type PointerEvent, type ReactNode, useRef } from 'react'
import { usePicture } from '#client/session/use-picture.ts'
import { failureText } from '#client/ui/feedback/failure.ts'
import { customerPhoto } from '#shared/customers/photo-api.ts'
import type { RejectCode } from '#shared/review/reject-reasons.ts'

interface DocumentViewProps {
  title: string
  /** null = the customer sent none. */
  photoId: string | null
  /** The role may not see photos. */
  hidden: boolean
  scale: number
  /** Quarter turns clockwise. */
  turns: number
  score: ReactNode
  onUnreadable: (() => void) | null
  unreadableCode: RejectCode
  onRequest: (() => void) | null
}

export function DocumentView({
  title,
  photoId,
  hidden,
  scale,
  turns,
  score,
  onUnreadable,
  unreadableCode,
  onRequest,
}: DocumentViewProps): ReactNode {
  const t = useText('review')
  const photo = usePicture(customerPhoto, photoId === null ? null : { photoId })
  const drag = useDrag()
  const sideways = turns % 2 === 1
  return (
    <figure className="doc-view">
      <figcaption>
        <span>{title}</span>
        {score && <b className="doc-score tabular">{score}</b>}
      </figcaption>
      <div
        className="doc-scroll"
        tabIndex={scale > 1 ? 0 : -1}
        role={scale > 1 ? 'region' : undefined}
        aria-label={scale > 1 ? title : undefined}
        data-scaled={scale > 1 || undefined}
        {...drag}
      >
        {photo.url ? (
          <span
            className="doc-sheet"
            style={{ width: `${scale * 100}cqw`, height: `${scale * 100}cqh` }}
          >
            <img
              src={photo.url}
              alt={title}
              draggable={false}
              style={{
                width: `${scale * 100}${sideways ? 'cqh' : 'cqw'}`,
                height: `${scale * 100}${sideways ? 'cqw' : 'cqh'}`,
                transform: `translate(-50%, -50%) rotate(${turns * 90}deg)`,
              }}
            />
          </span>
        ) : photo.error ? (
          <div className="doc-tile" role="alert">
            <p>{failureText(photo.error)}</p>
            <Button icon="refresh" text={t('photo.retry')} onClick={photo.retry} />
            {onUnreadable && (
              <Button
                text={t('photo.unreadable', { code: unreadableCode })}
                onClick={onUnreadable}
              />
            )}
          </div>
        ) : photoId === null ? (
          <div className="doc-tile">
            <p>{hidden ? t('photo.notYours') : t('photo.missing')}</p>
            {!hidden && onRequest && (
              <Button icon="chat" text={t('action.ask')} onClick={onRequest} />
            )}
          </div>
        ) : (
          <div className="doc-loading" role="status">
            <span className="visually-hidden">{t('photo.loading')}</span>
          </div>
        )}
      </div>
    </figure>
  )
}

/** Drags a document that is larger than its frame; the keyboard scrolls it too. */
function useDrag() {
  const from = useRef<{ x: number; y: number; left: number; top: number } | null>(null)
  return {
    onPointerDown: (event: PointerEvent<HTMLDivElement>) => {
      const box = event.currentTarget
      if (
        event.button !== 0 ||
        (box.scrollWidth <= box.clientWidth && box.scrollHeight <= box.clientHeight)
      )
        return
      from.current = {
        x: event.clientX,
        y: event.clientY,
        left: box.scrollLeft,
        top: box.scrollTop,
      }
      box.setPointerCapture(event.pointerId)
    },
    onPointerMove: (event: PointerEvent<HTMLDivElement>) => {
      if (!from.current) return
      event.currentTarget.scrollTo(
        from.current.left + from.current.x - event.clientX,
        from.current.top + from.current.y - event.clientY,
      )
    },
    onPointerUp: () => {
      from.current = null
    },
    onPointerCancel: () => {
      from.current = null
    },
  }
}
