import type { Feature } from '#gateway/manage/kernel/feature.ts'
import { sealedFile } from '#gateway/manage/kernel/kept-files.ts'
import { directExportRoutes } from './direct-exports.ts'
import { exportApproval } from './export-approval.ts'
import { exportJob } from './export-job.ts'
import { exportsRoutes } from './exports-routes.ts'
import { fileSweep } from './file-sweep-job.ts'

export const exportFiles: Feature = {
  sealed: [
    { place: 'export_request.input_enc', table: 'export_request', column: 'input_enc' },
    { place: 'export_part.lines_enc', table: 'export_part', column: 'lines_enc', chunk: 10 },
    sealedFile('export'),
  ],
  hooks: { approvals: [exportApproval] },
  schedules: [fileSweep],
  jobTypes: [exportJob],
  routes: (base, { context }) => exportsRoutes(base, context),
  lateRoutes: (base, { context }) => directExportRoutes(base, context),
}
