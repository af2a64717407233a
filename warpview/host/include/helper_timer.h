// The stopwatch of the header of this name in NVIDIA's samples: the host's own time.
#pragma once

#include <chrono>

class StopWatchInterface {
  public:
    void start() { begun_ = std::chrono::steady_clock::now(), running_ = true; }
    void stop() {
        total_ += since(), running_ = false, ++sessions_;
    }
    void reset() { total_ = 0, sessions_ = 0, begun_ = std::chrono::steady_clock::now(); }
    float getTime() { return static_cast<float>(running_ ? since() : total_); }
    float getAverageTime() { return sessions_ ? static_cast<float>(total_ / sessions_) : 0.0f; }

  private:
    double since() const {
        return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begun_).count();
    }
    std::chrono::steady_clock::time_point begun_;
    double total_ = 0;
    bool running_ = false;
    int sessions_ = 0;
};
inline bool sdkCreateTimer(StopWatchInterface **timer) { return *timer = new StopWatchInterface, true; }
inline bool sdkDeleteTimer(StopWatchInterface **timer) { return delete *timer, *timer = nullptr, true; }
inline bool sdkStartTimer(StopWatchInterface **timer) { return (*timer)->start(), true; }
inline bool sdkStopTimer(StopWatchInterface **timer) { return (*timer)->stop(), true; }
inline bool sdkResetTimer(StopWatchInterface **timer) { return (*timer)->reset(), true; }
inline float sdkGetTimerValue(StopWatchInterface **timer) { return (*timer)->getTime(); }
inline float sdkGetAverageTimerValue(StopWatchInterface **timer) { return (*timer)->getAverageTime(); }
