import type { ReactNode } from 'react'
import { useText } from '#client/base/use-text.ts'
import { SideDrawer } from '#client/ui/frame/SideDrawer.tsx'
import { EmiPlan } from './EmiPlan.tsx'
import type { EmiConfigRow } from './emi-types.ts'

/** The plan that the terms of an app make. */
export function EmiPlanDrawer({
  row: { appName, config, gstRate },
  onClose,
}: {
  row: EmiConfigRow
  onClose: () => void
}): ReactNode {
  const t = useText('products')
  return (
    <SideDrawer isOpen title={t('emi.planTitle', { name: appName })} onClose={onClose}>
      <div className="emi-drawer">
        <EmiPlan config={config ?? {}} gstRate={gstRate} />
      </div>
    </SideDrawer>
  )
}
