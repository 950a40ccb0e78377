-- wrk: one inquiry after another, without a key, so that each is stored.
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
wrk.body = '[{"postal_code":"20095","property_type":"residential","types_of_problems":"nesting,noise","problem_locations":"roof",'
  .. '"first_name":"Anna","last_name":"Meier","email_address":"anna@example.de","phone_number":"+49 40 1234567"}]'
