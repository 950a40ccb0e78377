-- wrk: one inquiry after another, each with its own key, which begins with the argument after `--`.
local prefix, number = "", 0

function init(arguments)
  prefix = arguments[1] or ""
end

wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
wrk.body = '[{"postal_code":"20095","property_type":"residential","types_of_problems":"nesting,noise","problem_locations":"roof",'
  .. '"first_name":"Anna","last_name":"Meier","email_address":"anna@example.de","phone_number":"+49 40 1234567"}]'

function request()
  number = number + 1
  wrk.headers["Idempotency-Key"] = prefix .. number
  return wrk.format()
end
