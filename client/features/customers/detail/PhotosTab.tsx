/** Photos of documents and face. Each view is logged, so a photo is loaded only on request. */
import { Button } from '@blueprintjs/core'
import { type ReactNode, useState } from 'react'
import { usePermission } from '#client/session/page.tsx'
import { usePicture } from '#client/session/use-picture.ts'
import { failureText } from '#client/ui/feedback/failure.ts'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import type { CustomerDetail } from '#shared/customers/customer-detail-api.ts'
import { PHOTO_KINDS } from '#shared/customers/customer-sections.ts'
import { customerPhoto, PHOTO_CODES } from '#shared/customers/photo-api.ts'
import { useCustomerText } from '#client/features/customers/use-customer-text.ts'

export function PhotosTab({ detail: { photos } }: { detail: CustomerDetail }): ReactNode {
  const t = useCustomerText()
  const mayOpen = usePermission(PHOTO_CODES)
  return (
    <>
      <p className="customer-muted">{t(mayOpen ? 'photo.logged' : 'photo.notYours')}</p>
      <div className="customer-photos">
        {PHOTO_KINDS.map((kind) => {
          const photo = photos?.find((one) => one.kind === kind)
          return (
            <PhotoTile
              key={photo?.photoId ?? kind}
              title={t(`review:photo.${kind}`)}
              photoId={photo?.photoId ?? null}
              uploadTime={photo?.uploadTime ?? null}
              mayOpen={mayOpen}
            />
          )
        })}
      </div>
    </>
  )
}

function PhotoTile({
  title,
  photoId,
  uploadTime,
  mayOpen,
}: {
  title: string
  photoId: string | null
  uploadTime: string | null
  mayOpen: boolean
}): ReactNode {
  const t = useCustomerText()
  const [isOpen, setOpen] = useState(false)
  const [isLarge, setLarge] = useState(false)
  const photo = usePicture(customerPhoto, isOpen && photoId !== null ? { photoId } : null)
  return (
    <figure className="customer-photo" data-large={isLarge || undefined}>
      <figcaption>
        <strong>{title}</strong>
        {uploadTime !== null && (
          <span className="customer-muted">
            <IstTime value={uploadTime} />
          </span>
        )}
      </figcaption>
      <div className="customer-sheet">
        {photo.url ? (
          <img src={photo.url} alt={title} />
        ) : photo.error ? (
          <div role="alert">
            <p>{failureText(photo.error)}</p>
            <Button icon="refresh" text={t('review:photo.retry')} onClick={photo.retry} />
          </div>
        ) : photoId === null ? (
          <p className="customer-muted">{t('photo.missing')}</p>
        ) : mayOpen ? (
          <Button
            icon="eye-open"
            text={t('photo.show')}
            aria-label={`${t('photo.show')}: ${title}`}
            loading={photo.isLoading}
            onClick={() => setOpen(true)}
          />
        ) : null}
      </div>
      {photo.url && (
        <Button
          variant="minimal"
          size="small"
          icon={isLarge ? 'zoom-out' : 'zoom-in'}
          text={t(isLarge ? 'photo.smaller' : 'photo.larger')}
          onClick={() => setLarge((large) => !large)}
        />
      )}
    </figure>
  )
}
