#!/usr/bin/env python3
"""凌波橋接程式：盯著 XQ 或 MultiCharts 寫出的檔案，把新的一行原樣送到凌波的 Webhook。

用法（Python 3.8 以上，不必安裝別的東西）：
    python lingbo-bridge.py "D:\\Print\\*.log"

可以給好幾個檔案，* 代表任何字。第一次執行時已經在檔案裡的行不送；之後送到哪裡記在旁邊的
lingbo-bridge.json，重開會從那裡接著送。網址等於密碼，這個檔案不要給別人。
"""
import glob
import json
import os
import sys
import time
import urllib.error
import urllib.request

URL = __URL__
STATE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "lingbo-bridge.json")
LOOK_S = 0.5  # 多久看一次檔案
PING_S = 240  # 這麼久沒有送過任何東西，就報一次平安
LINE_MAX = 16_000  # 更長的不是訊號
CHUNK = 1 << 20


class Straight(urllib.request.HTTPRedirectHandler):
    """別的網址不跟過去：這一行不該送到那裡。"""

    def redirect_request(self, *_anything):
        return None


OPENER = urllib.request.build_opener(Straight)


def say(text):
    print(time.strftime("%H:%M:%S"), text, flush=True)


def send(line):
    """送一行，直到伺服器收下或拒絕；連不上、太快、伺服器有狀況都等一下再送同一行，順序不會亂。"""
    wait = 1.0
    while True:
        request = urllib.request.Request(
            URL, data=line, method="POST",
            headers={"Content-Type": "text/plain", "User-Agent": "lingbo-bridge/1"},
        )
        try:
            with OPENER.open(request, timeout=20) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            body = error.read()
            if error.code != 429 and error.code < 500:
                return error.code, body
            after = error.headers.get("Retry-After", "")
            wait = float(after) if after.isdigit() else wait
            why = f"伺服器回 {error.code}"
        except OSError as error:
            why = f"連不上伺服器（{error}）"
        say(f"{why}，{wait:.0f} 秒後再送")
        time.sleep(wait)
        wait = min(wait * 2, 60.0)


def words(line):
    """給人看的一行：檔案多半是 Big5。"""
    for encoding in ("utf-8", "cp950"):
        try:
            return line.decode(encoding)
        except UnicodeDecodeError:
            pass
    return line.decode("utf-8", "replace")


def tell(line, status, body):
    try:
        answer = json.loads(body)
    except ValueError:
        answer = {}
    if 300 <= status < 400 or status in (404, 405, 410):
        # 門關著：這一行還沒送到，留在這裡
        say(answer.get("reason") or f"這個網址現在不收訊息（{status}）")
        sys.exit("停在這一行。處理好之後再執行一次，會從這裡接著送。")
    reason = f"：{answer['reason']}" if answer.get("reason") else ""
    done = {"accepted": "收下", "duplicate": "重複", "ignored": "略過"}.get(answer.get("status"))
    say(f"{done or f'沒收下（{status}）'} {words(line)}{reason}")


def load():
    try:
        with open(STATE, encoding="utf-8") as file:
            return json.load(file)
    except FileNotFoundError:
        return None
    except ValueError:
        say(f"{STATE} 讀不出來，從現在開始送")
        return None


def save(places):
    with open(STATE + ".new", "w", encoding="utf-8") as file:
        json.dump(places, file, ensure_ascii=False)
    os.replace(STATE + ".new", STATE)


def found(patterns):
    paths = (os.path.abspath(path) for pattern in patterns for path in glob.glob(pattern))
    return sorted({path for path in paths if os.path.isfile(path)})


def lines_after(path, place):
    """新的、已經寫完的行，與每一行結束的地方。"""
    size = os.path.getsize(path)
    if size < place:
        say(f"{path} 重新寫過，從頭送")
        place = 0
    with open(path, "rb") as file:
        file.seek(place)
        data = file.read(CHUNK)
    end = data.rfind(b"\n") + 1
    if end == 0 and len(data) == CHUNK:
        say(f"{path} 有一行太長，跳過")
        return [(b"", place + CHUNK)]
    lines = []
    for line in data[:end].splitlines(keepends=True):
        place += len(line)
        lines.append((line.strip(b"\xef\xbb\xbf \t\r\n"), place))
    return lines


def main(patterns):
    if not patterns:
        sys.exit(__doc__)
    places = load()
    if places is None:
        # 以前寫的已經過去了，現在送會成為遲到的訊號
        places = {path: os.path.getsize(path) for path in found(patterns)}
        save(places)
    say(f"開始，現在看到 {len(found(patterns))} 個檔案；按 Ctrl+C 結束")
    spoken = 0.0
    while True:
        for path in found(patterns):
            try:
                lines = lines_after(path, places.get(path, 0))
            except OSError as error:
                say(f"{path} 讀不到（{error}），等一下再看")
                continue
            for line, place in lines:
                if line and len(line) <= LINE_MAX:
                    tell(line, *send(line))
                    spoken = time.monotonic()
                places[path] = place
                save(places)
        if time.monotonic() - spoken >= PING_S or spoken == 0.0:
            status, body = send(b"PING")
            if status >= 400:
                tell(b"PING", status, body)
            spoken = time.monotonic()
        time.sleep(LOOK_S)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except KeyboardInterrupt:
        say("結束")
