<#
凌波橋接程式：盯著 XQ 或 MultiCharts 寫出的檔案，把新的一行原樣送到凌波的 Webhook。

用法（Windows 內建的 PowerShell，不必安裝別的東西）：
    powershell -ExecutionPolicy Bypass -File lingbo-bridge.ps1 "D:\Print\*.log"

可以給好幾個檔案，* 代表任何字。第一次執行時已經在檔案裡的行不送；之後送到哪裡記在旁邊的
lingbo-bridge.json，重開會從那裡接著送。網址等於密碼，這個檔案不要給別人。
#>
param([Parameter(Mandatory = $true, ValueFromRemainingArguments = $true)][string[]]$Files)
$ErrorActionPreference = 'Stop'
[Net.ServicePointManager]::SecurityProtocol = [Net.SecurityProtocolType]::Tls12
[Net.ServicePointManager]::Expect100Continue = $false

$Url = __URL__
$State = Join-Path $PSScriptRoot 'lingbo-bridge.json'
$LookMs = 500        # 多久看一次檔案
$PingS = 240         # 這麼久沒有送過任何東西，就報一次平安
$LineMax = 16000     # 更長的不是訊號
$Chunk = 1MB
$Utf8 = New-Object Text.UTF8Encoding($false, $true)
$Big5 = [Text.Encoding]::GetEncoding(950)
$Outcomes = @{ accepted = '收下'; duplicate = '重複'; ignored = '略過' }

function Say([string]$Text) { Write-Host "$(Get-Date -Format 'HH:mm:ss') $Text" }

function Read-Answer($Response) {
  $reader = New-Object IO.StreamReader($Response.GetResponseStream(), [Text.Encoding]::UTF8)
  try { return $reader.ReadToEnd() } finally { $reader.Dispose() }
}

# 送一行，直到伺服器收下或拒絕；連不上、太快、伺服器有狀況都等一下再送同一行，順序不會亂。
function Send-Line([byte[]]$Line) {
  $wait = 1
  while ($true) {
    $why = ''
    try {
      $request = [Net.WebRequest]::Create($Url)
      $request.Method = 'POST'
      $request.ContentType = 'text/plain'
      $request.UserAgent = 'lingbo-bridge/1'
      $request.Timeout = 20000
      # 別的網址不跟過去：這一行不該送到那裡
      $request.AllowAutoRedirect = $false
      $request.ContentLength = $Line.Length
      $stream = $request.GetRequestStream()
      $stream.Write($Line, 0, $Line.Length)
      $stream.Dispose()
      $response = $request.GetResponse()
      try { return @{ Status = [int]$response.StatusCode; Body = (Read-Answer $response) } } finally { $response.Close() }
    } catch {
      $failed = $_.Exception
      while ($failed.InnerException -and -not ($failed -is [Net.WebException])) { $failed = $failed.InnerException }
      $response = if ($failed -is [Net.WebException]) { $failed.Response } else { $null }
      if ($response) {
        $status = [int]$response.StatusCode
        $after = $response.Headers['Retry-After']
        try { $body = Read-Answer $response } finally { $response.Close() }
        if ($status -ne 429 -and $status -lt 500) { return @{ Status = $status; Body = $body } }
        if ($after -match '^\d+$') { $wait = [int]$after }
        $why = "伺服器回 $status"
      } else {
        $why = "連不上伺服器（$($failed.Message)）"
      }
    }
    Say "$why，$wait 秒後再送"
    Start-Sleep -Seconds $wait
    $wait = [Math]::Min($wait * 2, 60)
  }
}

function Show-Answer([byte[]]$Line, $Answer) {
  try { $words = $Utf8.GetString($Line) } catch { $words = $Big5.GetString($Line) }
  $told = $null
  try { $told = $Answer.Body | ConvertFrom-Json } catch { $told = $null }
  if (($Answer.Status -ge 300 -and $Answer.Status -lt 400) -or @(404, 405, 410) -contains $Answer.Status) {
    # 門關著：這一行還沒送到，留在這裡
    if ($told.reason) { Say $told.reason } else { Say "這個網址現在不收訊息（$($Answer.Status)）" }
    Say '停在這一行。處理好之後再執行一次，會從這裡接著送。'
    exit 1
  }
  $done = $Outcomes["$($told.status)"]
  if (-not $done) { $done = "沒收下（$($Answer.Status)）" }
  $reason = if ($told.reason) { "：$($told.reason)" } else { '' }
  Say "$done $words$reason"
}

function Find-Files {
  @($Files | ForEach-Object { Get-ChildItem -Path $_ -File -ErrorAction SilentlyContinue } | ForEach-Object { $_.FullName } | Sort-Object -Unique)
}

function Save-Places($Places) {
  [IO.File]::WriteAllText("$State.new", ($Places | ConvertTo-Json), (New-Object Text.UTF8Encoding($false)))
  Move-Item -Force -LiteralPath "$State.new" -Destination $State
}

# 新的、已經寫完的行，與每一行結束的地方。
function Read-Lines([string]$Path, [long]$Place) {
  $file = [IO.File]::Open($Path, 'Open', 'Read', 'ReadWrite,Delete')
  try {
    if ($file.Length -lt $Place) { Say "$Path 重新寫過，從頭送"; $Place = 0 }
    [void]$file.Seek($Place, 'Begin')
    $data = New-Object byte[] $Chunk
    $size = $file.Read($data, 0, $Chunk)
  } finally { $file.Dispose() }
  $begin = 0
  for ($i = 0; $i -lt $size; $i++) {
    if ($data[$i] -ne 10) { continue }
    $from = $begin; $to = $i
    if ($to - $from -ge 3 -and $data[$from] -eq 0xEF -and $data[$from + 1] -eq 0xBB -and $data[$from + 2] -eq 0xBF) { $from += 3 }
    while ($to -gt $from -and @(9, 13, 32) -contains $data[$to - 1]) { $to-- }
    while ($from -lt $to -and @(9, 13, 32) -contains $data[$from]) { $from++ }
    $line = New-Object byte[] ($to - $from)
    [Array]::Copy($data, $from, $line, 0, $to - $from)
    $begin = $i + 1
    [pscustomobject]@{ Line = $line; Place = $Place + $begin }
  }
  if ($begin -eq 0 -and $size -eq $Chunk) {
    Say "$Path 有一行太長，跳過"
    [pscustomobject]@{ Line = (New-Object byte[] 0); Place = $Place + $Chunk }
  }
}

$places = @{}
$known = $false
if (Test-Path -LiteralPath $State) {
  try {
    (Get-Content -Raw -Encoding UTF8 -LiteralPath $State | ConvertFrom-Json).PSObject.Properties | ForEach-Object { $places[$_.Name] = [long]$_.Value }
    $known = $true
  } catch {
    Say "$State 讀不出來，從現在開始送"
    $places = @{}
  }
}
if (-not $known) {
  # 以前寫的已經過去了，現在送會成為遲到的訊號
  foreach ($path in Find-Files) { $places[$path] = (Get-Item -LiteralPath $path).Length }
  Save-Places $places
}
Say "開始，現在看到 $(@(Find-Files).Count) 個檔案；按 Ctrl+C 結束"
$spoken = [DateTime]::MinValue
while ($true) {
  foreach ($path in Find-Files) {
    $place = if ($places.ContainsKey($path)) { $places[$path] } else { 0 }
    try { $lines = @(Read-Lines $path $place) } catch { Say "$path 讀不到（$($_.Exception.Message)），等一下再看"; continue }
    foreach ($one in $lines) {
      if ($one.Line.Length -gt 0 -and $one.Line.Length -le $LineMax) {
        Show-Answer $one.Line (Send-Line $one.Line)
        $spoken = [DateTime]::UtcNow
      }
      $places[$path] = $one.Place
      Save-Places $places
    }
  }
  if (([DateTime]::UtcNow - $spoken).TotalSeconds -ge $PingS) {
    $ping = [Text.Encoding]::ASCII.GetBytes('PING')
    $answer = Send-Line $ping
    if ($answer.Status -ge 400) { Show-Answer $ping $answer }
    $spoken = [DateTime]::UtcNow
  }
  Start-Sleep -Milliseconds $LookMs
}
