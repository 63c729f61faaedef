/** The logo field of the product form: current, replaced, or removed. */
import { useFileUrl } from '#client/base/use-file-url.ts'
import { useText } from '#client/base/use-text.ts'
import { Button } from '@blueprintjs/core'
import { type ReactNode, useState } from 'react'
import { useFormContext, useWatch as useValue } from 'react-hook-form'
import { FilesField } from '#client/features/files/public.tsx'
import { usePicture } from '#client/session/use-picture.ts'
import { LOGO_FILE, productLogo } from '#shared/products/products-api.ts'
import { letterOf } from './product-letter.ts'
import type { Product } from './product-types.ts'

interface Values {
  name: string
  logo: readonly File[]
  removeLogo: boolean
}

export function LogoField({ product }: { product: Product | null }): ReactNode {
  const t = useText('products')
  const { control, setValue } = useFormContext<Values>()
  const [name, [chosen], isRemoved] = useValue({ control, name: ['name', 'logo', 'removeLogo'] })
  const [productId, fileId] = [product?.productId ?? '', product?.logoFileId ?? null]
  const kept = usePicture(productLogo, fileId === null ? null : { productId, fileId })
  const fresh = useFileUrl(chosen)
  // an image that cannot be drawn falls back to the letter
  const [broken, setBroken] = useState<string | null>(null)
  const isKept = fileId !== null && chosen === undefined
  const url = fresh ?? (isKept && !isRemoved ? kept.url : null)
  return (
    <FilesField
      rule={LOGO_FILE}
      label={t('logo.label')}
      help={t('logo.help', { mb: LOGO_FILE.bytes / 1_048_576 })}
    >
      <div className="logo-now">
        <span className="product-logo is-large" data-letter={letterOf(name)}>
          {url !== null && url !== broken && (
            <img
              src={url}
              alt={chosen ? t('logo.chosen') : t('logo.of', { name: product?.name ?? '' })}
              onError={() => setBroken(url)}
            />
          )}
        </span>
        {isKept && (
          <Button
            variant="minimal"
            size="small"
            icon={isRemoved ? 'undo' : 'cross'}
            text={t(isRemoved ? 'logo.keep' : 'logo.remove')}
            onClick={() => setValue('removeLogo', !isRemoved, { shouldDirty: true })}
          />
        )}
        {isKept && isRemoved && <span role="status">{t('logo.removed')}</span>}
      </div>
    </FilesField>
  )
}
