/**
 * The documents: one large, or two side by side with the face match score; operated by keyboard.
 */
import { type Text, useText } from '#client/base/use-text.ts'
import { Button } from '@blueprintjs/core'
import { type ReactNode, useState } from 'react'
import { usePicture } from '#client/session/use-picture.ts'
import { useShortcuts } from '#client/ui/frame/shortcuts.ts'
import { useMedia } from '#client/ui/frame/use-media.ts'
import { PHOTO_KINDS } from '#shared/customers/customer-sections.ts'
import { customerPhoto } from '#shared/customers/photo-api.ts'
import type { RejectCode } from '#shared/review/reject-reasons.ts'
import type { CustomerSections } from '../review-types.ts'
import { DocumentView } from './DocumentView.tsx'
import { wholePercent } from '#client/ui/value/value-text.ts'

export type PhotoKind = (typeof PHOTO_KINDS)[number]

interface DocumentPaneProps {
  customer: CustomerSections
  /** Whether the user may open photos. */
  opens: boolean
  /** Selects "unreadable document" as reject reason; null = no decision possible. */
  onUnreadable: ((code: RejectCode) => void) | null
  onRequest: (() => void) | null
}

const ZOOMS = [1, 1.5, 2, 3, 4] as const
/** The reject reason for an unreadable document. */
export const UNREADABLE: Record<PhotoKind, RejectCode> = {
  pan: 'A04',
  aadhaarFront: 'A05',
  aadhaarBack: 'A06',
  liveFace: 'A01',
}

export function DocumentPane({
  customer,
  opens,
  onUnreadable,
  onRequest,
}: DocumentPaneProps): ReactNode {
  const t = useText('review')
  const wide = useMedia('(min-width: 1600px)')
  const [kind, setKind] = useState<PhotoKind>('pan')
  const [compare, setCompare] = useState<boolean | null>(null)
  const [zoom, setZoom] = useState(0)
  const [turns, setTurns] = useState(0)
  const two = compare ?? wide
  const other: PhotoKind = kind === 'liveFace' ? 'pan' : 'liveFace'
  const photos = opens ? customer.photos : null
  const photoOf = (one: PhotoKind) => photos?.find((photo) => photo.kind === one) ?? null
  const choose = (one: PhotoKind) => {
    setKind(one)
    setZoom(0)
    setTurns(0)
  }
  const step = (by: 1 | -1) => setZoom((now) => Math.min(ZOOMS.length - 1, Math.max(0, now + by)))
  const fit = () => {
    setZoom(0)
    setTurns(0)
  }
  useShortcuts('screen', [
    ...PHOTO_KINDS.map((one, i) => ({
      id: `photo-${one}`,
      code: `Digit${i + 1}`,
      labelKey: `review:photo.${one}`,
      run: () => choose(one),
    })),
    ...(['Equal', 'Shift+Equal', 'NumpadAdd'] as const).map((code) => ({
      id: `zoom-in-${code}`,
      code,
      labelKey: 'review:key.zoomIn',
      run: () => step(1),
    })),
    ...(['Minus', 'NumpadSubtract'] as const).map((code) => ({
      id: `zoom-out-${code}`,
      code,
      labelKey: 'review:key.zoomOut',
      run: () => step(-1),
    })),
    { id: 'fit', code: 'Digit0', labelKey: 'review:key.fit', run: fit },
    {
      id: 'rotate',
      code: 'KeyT',
      labelKey: 'review:key.rotate',
      run: () => setTurns((now) => (now + 1) % 4),
    },
    { id: 'compare', code: 'KeyC', labelKey: 'review:key.compare', run: () => setCompare(!two) },
  ])
  const scale = ZOOMS[zoom] ?? 1
  const view = (one: PhotoKind, score: ReactNode) => (
    <DocumentView
      key={one}
      title={t(`photo.${one}`)}
      photoId={photoOf(one)?.photoId ?? null}
      hidden={photos === null}
      scale={scale}
      turns={one === kind ? turns : 0}
      score={score}
      onUnreadable={onUnreadable && (() => onUnreadable(UNREADABLE[one]))}
      unreadableCode={UNREADABLE[one]}
      onRequest={onRequest}
    />
  )
  return (
    <section className="desk-documents bp6-dark" aria-label={t('pane.documents')}>
      <h2 className="visually-hidden">{t('pane.documents')}</h2>
      <div className="doc-tools" role="toolbar" aria-label={t('pane.documentTools')}>
        <span className="desk-gap" />
        <Button
          variant="minimal"
          size="small"
          icon="zoom-out"
          aria-label={t('key.zoomOut')}
          title={`${t('key.zoomOut')} (−)`}
          disabled={zoom === 0}
          onClick={() => step(-1)}
        />
        <span className="doc-zoom tabular">{Math.round(scale * 100)} %</span>
        <Button
          variant="minimal"
          size="small"
          icon="zoom-in"
          aria-label={t('key.zoomIn')}
          title={`${t('key.zoomIn')} (+)`}
          disabled={zoom === ZOOMS.length - 1}
          onClick={() => step(1)}
        />
        <Button
          variant="minimal"
          size="small"
          icon="zoom-to-fit"
          aria-label={t('key.fit')}
          title={`${t('key.fit')} (0)`}
          onClick={fit}
        />
        <Button
          variant="minimal"
          size="small"
          icon="rotate-page"
          aria-label={t('key.rotate')}
          title={`${t('key.rotate')} (T)`}
          onClick={() => setTurns((now) => (now + 1) % 4)}
        />
        <Button
          variant="minimal"
          size="small"
          icon="comparison"
          active={two}
          aria-pressed={two}
          text={t('key.compare')}
          title={`${t('key.compare')} (C)`}
          onClick={() => setCompare(!two)}
        />
      </div>
      <div className="doc-box">
        <div className="doc-stage" data-two={two || undefined}>
          {view(kind, two ? null : faceScore(t, customer, kind))}
          {two &&
            view(
              other,
              faceScore(t, customer, kind === 'liveFace' ? 'pan' : kind) ??
                faceScore(t, customer, 'pan'),
            )}
        </div>
      </div>
      <div className="doc-thumbs" role="group" aria-label={t('pane.photos')}>
        {PHOTO_KINDS.map((one, i) => (
          <Thumb
            key={one}
            index={i + 1}
            title={t(`photo.${one}`)}
            photoId={photoOf(one)?.photoId ?? null}
            isShown={one === kind}
            onChoose={() => choose(one)}
          />
        ))}
      </div>
    </section>
  )
}

function faceScore(t: Text, { kyc }: CustomerSections, kind: PhotoKind): string | null {
  if (!kyc) return null
  if (kind === 'pan' || kind === 'liveFace')
    return kyc.facePan === null
      ? null
      : t('review:photo.facePan', { score: wholePercent(kyc.facePan) })
  return kyc.faceAadhaar === null
    ? null
    : t('review:photo.faceAadhaar', { score: wholePercent(kyc.faceAadhaar) })
}

function Thumb({
  index,
  title,
  photoId,
  isShown,
  onChoose,
}: {
  index: number
  title: string
  photoId: string | null
  isShown: boolean
  onChoose: () => void
}): ReactNode {
  const { url } = usePicture(customerPhoto, photoId === null ? null : { photoId })
  return (
    <button
      type="button"
      className="doc-thumb"
      aria-pressed={isShown}
      onClick={onChoose}
      title={`${title} (${index})`}
    >
      {url ? <img src={url} alt="" draggable={false} /> : <span className="doc-thumb-blank" />}
      <span className="doc-thumb-name">
        <kbd>{index}</kbd> {title}
      </span>
    </button>
  )
}
