-- SPDX-License-Identifier: Apache-2.0
-- A whole job_submit.lua for a site that has none: copy it beside slurm.conf and say JobSubmitPlugins=lua there. See fathom_advice.lua.
local loaded, fathom = pcall(dofile, "@CMAKE_INSTALL_PREFIX@/share/fathom/slurm/fathom_advice.lua")
if not loaded then slurm.log_error("fathom: %s", tostring(fathom)) end

function slurm_job_submit(job_desc, part_list, submit_uid)
  if loaded then fathom.submitted(job_desc, submit_uid) end
  return slurm.SUCCESS
end

function slurm_job_modify(job_desc, job_rec, part_list, modify_uid)
  return slurm.SUCCESS
end

return slurm.SUCCESS
