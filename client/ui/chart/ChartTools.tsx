import { Button, Menu, MenuItem, PopoverNext } from '@blueprintjs/core'
import type { ReactNode, RefObject } from 'react'
import { saveFile } from '#client/base/save-file.ts'
import { useText } from '#client/base/use-text.ts'
import { showToast } from '#client/ui/feedback/toasts.ts'
import { pngOf, svgOf } from './chart-file.ts'
import type { DrawnSeries } from './chart-types.ts'

/** Table instead of the picture, and the picture as a file. */
export function ChartTools({
  title,
  series,
  picture,
  isTable,
  onTable,
}: {
  title: string
  series: readonly DrawnSeries[]
  picture: RefObject<SVGSVGElement | null>
  isTable: boolean
  onTable: (isTable: boolean) => void
}): ReactNode {
  const t = useText('chart')
  async function save(kind: 'svg' | 'png'): Promise<void> {
    if (picture.current === null) return
    const file = svgOf(picture.current, title, series)
    try {
      saveFile(kind === 'svg' ? file.blob : await pngOf(file), `${title}.${kind}`)
    } catch {
      showToast({ intent: 'warning', message: t('notSaved'), key: 'chart-file' })
    }
  }
  return (
    <span className="chart-tools">
      <Button
        variant="minimal"
        size="small"
        icon={isTable ? 'chart' : 'list'}
        text={isTable ? t('showChart') : t('showTable')}
        onClick={() => onTable(!isTable)}
      />
      {isTable ? null : (
        <PopoverNext
          placement="bottom-end"
          content={
            <Menu>
              <MenuItem text={t('svg')} onClick={() => void save('svg')} />
              <MenuItem text={t('png')} onClick={() => void save('png')} />
            </Menu>
          }
        >
          <Button
            variant="minimal"
            size="small"
            icon="download"
            aria-label={t('download', { title })}
            title={t('download', { title })}
          />
        </PopoverNext>
      )}
    </span>
  )
}
