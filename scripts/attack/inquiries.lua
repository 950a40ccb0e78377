-- wrk: inquiries of many people, each with its own idempotency key.
local sent = 0
local thread = tostring({})

function request()
  sent = sent + 1
  local body = string.format(
    '[{"postal_code":"20095","property_type":"residential","types_of_problems":"nesting,noise","problem_locations":"roof",'
      .. '"first_name":"Last","last_name":"Nummer %d","email_address":"last-%d@example.org","phone_number":"040 123456-78"}]',
    sent, sent)
  local headers = { ["Content-Type"] = "application/json", ["Idempotency-Key"] = thread:gsub("[^%w]", "") .. "-" .. sent }
  return wrk.format("POST", nil, headers, body)
end
