-- SPDX-License-Identifier: Apache-2.0
-- Lets jobs of known I/O applications begin a little later than they were submitted, so that `fathom advise --slurm` can say when.
-- It never refuses a job and never holds one: it sets the time at which a job may begin, and Slurm begins it then whatever happens to
-- anything else. It does nothing if the daemon's list is not there, not fresh or not understood.
--
-- For a site with a job_submit.lua of its own:
--   local fathom = dofile("/usr/local/share/fathom/slurm/fathom_advice.lua")
--   function slurm_job_submit(job_desc, part_list, submit_uid)
--     ...
--     fathom.submitted(job_desc, submit_uid)
--     return slurm.SUCCESS
--   end

local fathom = {
  -- On a disk of the controller's own: a file system that hangs would make the controller hang.
  list = "/var/lib/fathom/slurm/applications",
  longest = 3600,  -- seconds; what a list can ask for at most
}

-- Seconds for which a job of this user and name waits for advice; nil: it does not.
function fathom.wait_of(uid, name, now)
  local file = io.open(fathom.list, "r")
  if not file then return nil end
  local head = file:read("*l") or ""
  local valid_until, lease = head:match("^fathom%-advice 1 (%d+) (%d+)$")
  valid_until, lease = tonumber(valid_until), tonumber(lease)
  local found = nil
  if valid_until and now <= valid_until and valid_until - now <= fathom.longest and lease > 0 and lease <= fathom.longest then
    local wanted = string.format("%d %s", uid, name)
    for line in file:lines() do
      if line == wanted then
        found = lease
        break
      end
    end
  end
  file:close()
  return found
end

local function submitted(job_desc, submit_uid)
  local name = job_desc.name
  if not name or name:find("%c") then return end
  name = name:match("^[ ]*(.-)[ ]*$"):gsub('"', "`")  -- as accounting has it
  local begin = job_desc.begin_time
  local now = os.time()
  if begin and begin ~= slurm.NO_VAL and begin > now then return end  -- whoever submitted it wants it to begin later
  local lease = fathom.wait_of(math.floor(job_desc.user_id or submit_uid), name, now)
  if not lease then return end
  job_desc.begin_time = now + lease
  local note = "fathom: delay, begins within " .. lease .. " s unless advice says otherwise"
  local others = job_desc.admin_comment
  job_desc.admin_comment = (others and others ~= "") and (others .. "; " .. note) or note
end

-- Whatever goes wrong in here, the job is submitted as it came.
function fathom.submitted(job_desc, submit_uid)
  local fine, why = pcall(submitted, job_desc, submit_uid)
  if not fine then slurm.log_info("fathom: %s", tostring(why)) end
end

return fathom
